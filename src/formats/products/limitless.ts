// The Limitless format: lifelogs from its API and its exports.

import * as v from 'valibot';

import {
  anyId,
  detail,
  detailText,
  maybe,
  maybeList,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { firstText, headingsIn } from '../markdown-input.ts';
import { inSeconds } from '../time/offsets.ts';
import { secondsBetween, type MaybeTime } from '../time/product-time.ts';
import { toTranscript, type Segment } from '../turns/turns.ts';

interface Node {
  readonly type?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly speakerName?: string | null | undefined;
  readonly speakerIdentifier?: string | null | undefined;
  readonly startTime?: string | null | undefined;
  readonly endTime?: string | null | undefined;
  readonly startOffsetMs?: number | null | undefined;
  readonly endOffsetMs?: number | null | undefined;
  readonly children?: readonly Node[] | null | undefined;
}

const Node: v.GenericSchema<unknown, Node> = v.object({
  type: maybeText,
  content: maybeText,
  speakerName: maybeText,
  speakerIdentifier: maybeText,
  startTime: detailText,
  endTime: detailText,
  startOffsetMs: detail(v.number()),
  endOffsetMs: detail(v.number()),
  children: maybe(v.array(v.lazy(() => Node))),
});

const Lifelog = v.object({
  id: anyId,
  title: maybeText,
  markdown: maybeText,
  contents: maybeList(Node),
  startTime: maybeTime,
  endTime: maybeTime,
  isStarred: detail(v.boolean()),
});

/** Limitless. It has no summary. The speech is in block quotes at any depth. */
export const limitless: ItemFormat = {
  name: 'limitless',
  product: 'Limitless lifelogs',
  paths: ['data.lifelogs', 'data.lifelog', 'lifelogs'],
  matches: (item) => 'startTime' in item && ('contents' in item || 'markdown' in item),
  item: v.pipe(
    Lifelog,
    v.transform(({ id, title, markdown, contents, startTime, endTime, isStarred }) => {
      const nodes = [...flatten(contents)];
      const headings = nodes.filter(({ type }) => type === 'heading2');
      const key_takeaways =
        contents.length > 0
          ? headings.flatMap(({ content }) => content?.trim() || [])
          : headingsIn(markdown, 2);
      return {
        id,
        name: title ?? nodes.find(({ type }) => type === 'heading1')?.content,
        started_at: startTime,
        ended_at: endTime,
        key_takeaways,
        // If the contents have no block quotes, the speech is in the Markdown.
        transcript: toTranscript(spoken(nodes, startTime), { orText: markdown }),
        details: {
          isStarred,
          chapters:
            contents.length > 0
              ? chaptersIn(nodes, startTime)
              : key_takeaways.map((heading) => ({ title: heading })),
        },
      };
    }),
  ),
};

function* flatten(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node;
    yield* flatten(node.children ?? []);
  }
}

function spoken(nodes: readonly Node[], began: MaybeTime): Segment[] {
  return nodes
    .filter(({ type }) => type === 'blockquote')
    .map(({ content, speakerName, speakerIdentifier, ...times }) => ({
      // The device's owner can be without a name, but is marked as the user.
      speaker: firstText(speakerName, speakerIdentifier === 'user' ? 'User' : ''),
      text: content,
      start: secondsBetween(began, times.startTime) ?? inSeconds(times.startOffsetMs),
      end: secondsBetween(began, times.endTime) ?? inSeconds(times.endOffsetMs),
    }));
}

/** Returns the headings as chapters. Each begins with the first words below it. */
function chaptersIn(nodes: readonly Node[], began: MaybeTime) {
  const chapters: { readonly title: Node['content']; readonly start: Segment['start'] }[] = [];
  let below: Node | undefined;
  // From the end, so that a long list is walked once.
  for (const node of nodes.toReversed()) {
    if (node.type === 'blockquote') below = node;
    else if (node.type === 'heading2')
      chapters.push({ title: node.content, start: below && spoken([below], began)[0]?.start });
  }
  return chapters.toReversed();
}
