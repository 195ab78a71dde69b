// The prompts: tasks that a person starts, each of which names the tools to use and asks for quotes.

/** A prompt and its arguments. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { name: string; description: string; required: boolean }[];
  readonly text: (values: Readonly<Record<string, string>>) => string;
}

const CITE =
  'Give the id and line of everything you state, check quotes with check_quote, and say what you did not find.';

/** The prompts in the order in which they are listed. */
export const prompts: readonly Prompt[] = [
  {
    name: 'catch_up',
    title: 'Catch up',
    description: 'What happened since a time',
    arguments: [
      {
        name: 'since',
        description: 'A time such as yesterday or 7d. Default: 7d',
        required: false,
      },
    ],
    text: ({ since = '7d' }) =>
      `Tell me what happened in my memories since ${since}. List them with list_memories (started_after: "${since}"), fetch those that matter, and give me decisions, promises and open questions. ${CITE}`,
  },
  {
    name: 'prepare_for',
    title: 'Prepare for a meeting',
    description: 'What to know before you meet a person',
    arguments: [{ name: 'person', description: 'The name of the person', required: true }],
    text: ({ person = '' }) =>
      `I will meet ${person}. Search my memories for this name and for what we talked about last. Tell me what we agreed, what each of us promised, what is open, and personal things I should remember. ${CITE}`,
  },
  {
    name: 'what_did_we_decide',
    title: 'What did we decide?',
    description: 'Decisions about a topic, and what changed since',
    arguments: [{ name: 'topic', description: 'The topic', required: true }],
    text: ({ topic = '' }) =>
      `What did we decide about ${topic}? Search my memories for it, fetch the lines around each result, and put the decisions in order of time. Say who decided, why, and what a later memory changed. ${CITE}`,
  },
];
