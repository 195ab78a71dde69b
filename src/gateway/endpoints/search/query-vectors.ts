// The vectors of queries: asked of the embeddings endpoint, and of nobody for a while after it has failed.

import { LRUCache } from 'lru-cache';

import { NoVectors, type Endpoint } from '../../../embeddings/endpoint.ts';
import { toQueryVector, type QueryVector } from '../../../embeddings/numbers.ts';
import type { Scope } from '../../../store/scope.ts';
import type { VectorKind } from '../../../store/vectors/vectors.ts';
import { CUT } from '../../../text/passages/stretches.ts';
import { isPlain, readOperators } from '../../../text/question/operators.ts';
import { wordsOf } from '../../../text/tokenizer.ts';
import type { Log } from '../../log.ts';
import type { PagedSearch } from '../cursor.ts';
import type { Meaning } from './nearest.ts';

/** Finds the vectors of queries. */
export interface QueryVectors {
  /** The vectors that can be compared with them. */
  readonly kind: VectorKind;
  /** Resolves with undefined if the endpoint does not respond, or did not a moment ago. Never rejects. */
  of(text: string): Promise<QueryVector | undefined>;
  /** Logs, once, that the vectors of memories have another length than those of queries. */
  reportOtherLength(): void;
}

/**
 * Returns what the words of a query mean to somebody who may read transcripts. Limits such as a tag mean nothing. With
 * other operators, the query is meant as it is written.
 */
export async function meaningOf(
  vectors: QueryVectors,
  { q }: PagedSearch,
  scope: Scope | undefined,
): Promise<Meaning> {
  const operators = readOperators(q);
  const text = operators.loose.join(' ');
  const isByWords =
    scope?.reads === 'summaries' || !isPlain(operators) || wordsOf(text).length === 0;
  return {
    kind: vectors.kind,
    vector: isByWords ? undefined : await vectors.of(text),
    reportOtherLength: () => {
      vectors.reportOtherLength();
    },
  };
}

/** Somebody waits for the result, which words alone can give. */
const TIMEOUT_MS = 4000;
/** How long the endpoint is left alone after it has failed. */
const PAUSE_MS = 30_000;
/** The vectors of recent queries are kept, because every page of a search needs the same. One takes up to 40 kB. */
const KEPT = 200;

/** Creates the vectors of queries. The log gets one entry when the endpoint fails, and one when it responds again. */
export function createQueryVectors(
  endpoint: Endpoint,
  { log, now = () => performance.now() }: { readonly log: Log; readonly now?: () => number },
): QueryVectors {
  const kept = new LRUCache<string, QueryVector>({ max: KEPT });
  let failedAt: number | undefined;
  let isReported = false;
  let isRefusalLogged = false;
  return {
    kind: { model: endpoint.model, cut: CUT },
    reportOtherLength() {
      if (isReported) return;
      isReported = true;
      const reason = `The vectors of ${endpoint.model} in the database have another length than those of the endpoint; run memory-gateway embed --off, then memory-gateway embed.`;
      log.warn?.({ endpoint: endpoint.origin, reason }, 'searches by words alone');
    },
    async of(text) {
      const known = kept.get(text);
      if (known !== undefined) return known;
      if (failedAt !== undefined && now() - failedAt < PAUSE_MS) return undefined;
      const wasFailing = failedAt !== undefined;
      if (wasFailing) failedAt = now(); // one request at a time finds out whether it responds again
      try {
        const [vector = []] = await endpoint.embed([text.toWellFormed()], TIMEOUT_MS);
        const found = toQueryVector(vector);
        kept.set(text, found);
        if (failedAt !== undefined)
          log.warn?.({ endpoint: endpoint.origin }, 'embeddings endpoint responds again');
        failedAt = undefined;
        return found;
      } catch (error) {
        const isNew = failedAt === undefined;
        const about = {
          endpoint: endpoint.origin,
          reason: error instanceof NoVectors ? error.message : String(error),
        };
        // A long query of one account leaves the others their search by meaning.
        if (error instanceof NoVectors && error.reason === 'refused') {
          if (!isRefusalLogged) log.warn?.(about, 'searches by words alone for a refused query');
          isRefusalLogged = true;
          return undefined;
        }
        failedAt = now();
        if (isNew) log.warn?.(about, 'searches by words alone for now');
        return undefined;
      }
    },
  };
}
