// 60 questions as people ask assistants, the calls of a reasonable agent, and the facts that the responses must contain.

/** A call of a tool. */
export type ToolCall = readonly [tool: string, args: Readonly<Record<string, unknown>>];

export interface Question {
  readonly account: 'mira' | 'tomas' | 'leila';
  readonly question: string;
  readonly calls: readonly ToolCall[];
  /** Texts that the responses of the calls must contain together. */
  readonly facts: readonly (string | RegExp)[];
  /** Texts that no response may contain. */
  readonly absent?: readonly (string | RegExp)[];
}

const search = (query: string, more: object = {}): ToolCall => ['search', { query, ...more }];
const fetch = (id: string, more: object = {}): ToolCall => ['fetch', { id, ...more }];
const list = (args: object): ToolCall => ['list_memories', { ...args }];
const check = (id: string, quote: string): ToolCall => ['check_quote', { id, quote }];

const CRYSTAL = '2026-11-20-crystal-supplier';

/** The questions. The facts were written from the memories of the demo. */
export const questions: readonly Question[] = [
  // Who said it?
  {
    account: 'mira',
    question: 'Who put the test kit on the balcony?',
    calls: [search('Who put the kit on the balcony?')],
    facts: ['flatmate smokes', '2026-11-16-standup'],
  },
  {
    account: 'mira',
    question: 'Who approved the second source crystal?',
    calls: [
      search('Who signed off the second source crystal approval?'),
      fetch('2026-11-19-standup#L8-L12'),
    ],
    facts: ['signed by me', 'Week 30'],
  },
  {
    account: 'mira',
    question: 'Who pressed the button for the 2.8.3 release, and who watched?',
    calls: [search('pressed the release button 2.8.3')],
    facts: ['twenty to eight', 'toothbrush', 'Ife was the witness'],
  },
  {
    account: 'mira',
    question: 'Who has goats?',
    calls: [search('goats')],
    facts: ['lives on a mountain', 'shared-call'],
  },
  {
    account: 'mira',
    question: 'Who wrote the replace that decodes the path twice?',
    calls: [
      search('who wrote the replace just in case decodes path twice'),
      fetch('2026-10-08-report-viewer-review', { query: 'decodes it twice just in case' }),
    ],
    facts: ['just in case', 'In 2023'],
  },
  {
    account: 'mira',
    question: 'Who is class representative?',
    calls: [search('Elternsprecher Stellvertretung')],
    facts: [/Kowalczyk/, '2026-09-09-elternabend-1c'],
  },
  {
    account: 'tomas',
    question: 'Who interrupted the interview with Morag?',
    calls: [fetch('shared-call', { query: 'cat Hamish' })],
    facts: ['Hamish, off'],
  },
  {
    account: 'tomas',
    question: 'Who wrote the letter from Osaka?',
    calls: [search('letter from Osaka')],
    facts: ['Ms Kinoshita', 'eighty-eight'],
  },
  {
    account: 'leila',
    question: 'Who muted the fridge alarm?',
    calls: [search('Who got the alarm texts and muted them as spam?')],
    facts: ['Hatem', 'spam from the old job'],
  },
  {
    account: 'leila',
    question: 'Who left the air conditioner on?',
    calls: [search('air conditioner left on in the packing room')],
    facts: ['By me, actually', 'Samer'],
  },
  // What exactly?
  {
    account: 'mira',
    question: 'How far off is the crystal in the fridge?',
    calls: [search('crystal parts per million in the fridge')],
    facts: ['thirty-eight parts per million', 'sixty-one'],
  },
  {
    account: 'mira',
    question: 'What does the fix cost in battery?',
    calls: [search('what does the fix cost in battery')],
    facts: [/One point one per cent|1\.1 %/, 'twelve minutes'],
  },
  {
    account: 'mira',
    question: 'What capacitance does the new part want?',
    calls: [search('load caps picofarads new part')],
    facts: ['nine picofarads', 'twelve and a half'],
  },
  {
    account: 'mira',
    question: 'What spread did Mr Tanaka name at zero degrees?',
    calls: [search('Tanaka spread number at zero degrees')],
    facts: ['minus twenty-three, give or take four', 'is_processing: true'],
  },
  {
    account: 'mira',
    question: 'What did Annegret say about my two free days?',
    calls: [search('Annegret two days with nothing in the calendar')],
    facts: ['one and a half', '2026-09-23-one-to-one-annegret'],
  },
  {
    account: 'mira',
    question: 'Wie oft darf ich Ibuprofen nehmen?',
    calls: [search('Ibuprofen wie oft')],
    facts: ['Höchstens zwei am Tag', 'nach fünf Tagen ist Schluss'],
  },
  {
    account: 'mira',
    question: 'Was kostet die Wohnung?',
    calls: [search('Wohnung kalt Staffelmiete Euro'), fetch('2026-07-18-wohnungsbesichtigung')],
    facts: ['1.640', '60 Euro'],
  },
  {
    account: 'mira',
    question: 'What name did Ife give the tram?',
    calls: [search('What was the name of the tram?')],
    facts: ['Gisela'],
  },
  {
    account: 'mira',
    question: 'What bug did Wanjiru find with the lift?',
    calls: [
      search('lift pumps restarted Kassel bug'),
      fetch('2026-10-21-interview-wanjiru', { query: 'lift motor brown-out threshold' }),
    ],
    facts: ['Kassel', 'brown-out threshold'],
  },
  {
    account: 'mira',
    question: 'When can Wanjiru start?',
    calls: [search('Wanjiru notice period start')],
    facts: [/first of February|1 February/],
  },
  {
    account: 'mira',
    question: 'What was the decision about the report viewer?',
    calls: [search('decision report viewer endpoint textContent')],
    facts: ['endpoint plus textContent, no inline data'],
  },
  {
    account: 'mira',
    question: 'How many old notes have bold in them?',
    calls: [search('how many old notes have bold')],
    facts: ['Forty-one', 'nineteen thousand'],
  },
  {
    account: 'tomas',
    question: 'What is the tallow in the lead line for?',
    calls: [search('lead line tallow hollow', { max_tokens: 8000 })],
    facts: ['the seabed sticks to it'],
  },
  {
    account: 'tomas',
    question: 'What does E.D. mean on a chart?',
    calls: [search('E.D.s existence doubtful')],
    facts: ['Existence doubtful'],
  },
  {
    account: 'tomas',
    question: 'How much does Dídac charge?',
    calls: [search('Dídac 612,50 IVA')],
    facts: ['612,50'],
  },
  {
    account: 'tomas',
    question: '「灯台もと暗し」の灯台とは何ですか。',
    calls: [search('灯台もと暗し'), fetch('2026-09-08-nihongo-sato#L18-L22')],
    facts: ['油の皿をのせた台'],
  },
  {
    account: 'leila',
    question: 'How many doses were in Fridge 2?',
    calls: [search('How many doses were in Fridge 2?', { max_tokens: 8000 })],
    facts: ['646 doses', '340 pentavalent'],
  },
  {
    account: 'leila',
    question: 'How long was the fridge above eight degrees?',
    calls: [search('fridge above eight degrees hours')],
    facts: ['twenty-eight and a half hours'],
  },
  {
    account: 'leila',
    question: 'गुप्ता जी से किस दाम पर बात तय हुई?',
    calls: [search('गुप्ता जी दाम चार सौ पचपन')],
    facts: ['चार सौ पचपन'],
  },
  {
    account: 'leila',
    question: 'शादी की तारीख़ क्या है?',
    calls: [search('शादी की तारीख़ नवंबर')],
    facts: ['सत्ताईस नवंबर'],
  },
  {
    account: 'leila',
    question: 'घोड़ी क्यों नहीं?',
    calls: [search('घोड़ों से एलर्जी')],
    facts: ['रोहन को घोड़ों से एलर्जी'],
  },
  // When, and how often?
  {
    account: 'mira',
    question: 'When did the team first hear of the left ear?',
    calls: [
      search('left aid silent when the phone rings', { max_tokens: 6000 }),
      list({ query: 'Graz', order: 'asc' }),
    ],
    facts: ['2026-11-05T13:20:00.125Z'],
  },
  {
    account: 'mira',
    question: 'How many stand-ups were there in the week of 16 November?',
    calls: [
      list({ query: 'firmware OR', started_after: '2026-11-16', started_before: '2026-11-21' }),
      list({
        started_after: '2026-11-16',
        started_before: '2026-11-21',
        timezone: 'Europe/Berlin',
      }),
    ],
    facts: ['2026-11-16-standup', '2026-11-17-standup', '2026-11-19-standup', CRYSTAL],
    absent: ['2026-11-12-standup'],
  },
  {
    account: 'mira',
    question: 'How often did we talk about Copenhagen?',
    calls: [list({ query: 'Copenhagen' })],
    facts: [
      '2026-11-12-standup',
      '2026-11-19-standup',
      '2026-09-23-one-to-one-annegret',
      '2026-10-21-interview-wanjiru',
      '2026-11-05-graz-call-phone',
    ],
    absent: ['2026-11-17-standup'],
  },
  {
    account: 'mira',
    question: 'What did I record on 4 October?',
    calls: [
      list({
        started_after: '2026-10-04',
        started_before: '2026-10-05',
        timezone: 'Europe/Berlin',
      }),
    ],
    facts: ['Sunday dinner with Grandma', 'Sun 2026-10-04 18:05'],
  },
  {
    account: 'mira',
    question: 'Was I anywhere in the first half of 2026?',
    calls: [list({ started_after: '2026-01-01', started_before: '2026-07-01' })],
    facts: ['2026-05-24-dictated-poem', '2026-06-30-hausaerztin-knie'],
    absent: ['2026-07-18'],
  },
  {
    account: 'mira',
    question: 'When is the parents’ lantern walk?',
    calls: [search('Laternenumzug')],
    facts: ['elfter November, siebzehn Uhr'],
  },
  {
    account: 'tomas',
    question: 'When does the podcast start?',
    calls: [search('launch January the fourteenth')],
    facts: ['The fourteenth, jueves'],
  },
  {
    account: 'tomas',
    question: 'What is my oldest recording?',
    calls: [list({ order: 'asc', limit: 1 })],
    facts: ['1998-02-28-cinta-avi-vicent', /^cursor: /m],
  },
  {
    account: 'tomas',
    question: 'How long was the lecture?',
    calls: [list({ started_after: '2026-11-16', started_before: '2026-11-17' })],
    facts: ['Lecture: How the sea was written down', 'duration_seconds: '],
  },
  {
    account: 'leila',
    question: 'What do I have from September?',
    calls: [
      list({ started_after: '2026-09-01', started_before: '2026-10-01', timezone: 'Asia/Amman' }),
    ],
    facts: ['Cold-chain incident review', 'Note before the review', 'Logistics weekly'],
    absent: ['Board call'],
  },
  // What changed since?
  {
    account: 'mira',
    question: 'What changed about the rollout after 12 November?',
    calls: [
      search('rollout 2.8.2 on hold', { started_before: '2026-11-13' }),
      search('2.8.3 release shipped', { started_after: '2026-11-13' }),
    ],
    facts: ['rollout on hold', /2\.8\.3/],
  },
  {
    account: 'mira',
    question: 'Is the recalibration in the release?',
    calls: [search('recalibrate against the main oscillator'), fetch('2026-11-19-standup#L17-L20')],
    facts: ['Not in this release', 'Into 2.9, yes. With tests.'],
  },
  {
    account: 'mira',
    question: 'What is new in my memories?',
    calls: [['list_changes', { limit: 50 }]],
    facts: ['Crystal supplier call', ' · upsert · '],
  },
  {
    account: 'leila',
    question: 'Did the wedding date change?',
    calls: [search('चार दिसंबर तारीख़ लड़के वाले')],
    facts: ['चार दिसंबर', 'सत्ताईस नवंबर'],
  },
  // Quote it.
  {
    account: 'mira',
    question: 'Did Sam say that the fridge had zero drops?',
    calls: [check('2026-11-17-standup', 'Fridge, fourteen hours, two pairs, zero drops.')],
    facts: ['match: exact', '2026-11-17-standup#L2'],
  },
  {
    account: 'mira',
    question: 'Did Henrik say "the form works perfectly"?',
    calls: [check('2026-11-19-standup', 'so the form works perfectly')],
    facts: ['match: folded', "It's the man"],
  },
  {
    account: 'mira',
    question: 'Did Mira say that the hardware is broken?',
    calls: [check('2026-11-19-standup', 'The hardware is broken')],
    facts: ['match: none', "The hardware isn't broken"],
  },
  {
    account: 'tomas',
    question: 'Quote Morag on evidence for absence.',
    calls: [check('shared-call', 'the evidence for absence is very expensive')],
    facts: ['match: exact', 'Morag: Because of prudence'],
  },
  {
    account: 'leila',
    question: 'Quote the sentence that is the whole report.',
    calls: [
      check('01a0c7ea-0d80-758b-a2a6-92c46f54e9b3', 'It watches the street, not the fridge.'),
    ],
    facts: ['match: exact', 'Samer: Because there was mains'],
  },
  {
    account: 'leila',
    question: 'Did Mahendra say that no child got a dose?',
    calls: [
      check('01a0c7ea-0d80-758b-a2a6-92c46f54e9b3', 'No child received a dose from this fridge'),
    ],
    facts: ['match: exact', 'Leila: Say that again for the minutes'],
  },
  // What is not there, and false premises.
  {
    account: 'mira',
    question: 'What did we decide about the Kubernetes migration?',
    calls: [search('Kubernetes')],
    facts: ['memories_found: 0', 'absent_words: kubernetes'],
  },
  {
    account: 'mira',
    question: 'Why did Parveen refuse to call Graz?',
    calls: [search('Parveen refuse call Graz')],
    facts: [
      /^absent_words: refuse$/m,
      /The audiologist in Graz rang again|Call with the Graz audiologist/,
    ],
    absent: [/Parveen: (No|I refuse).*call Graz/],
  },
  {
    account: 'mira',
    question: 'What did Parven say about the dog walker?',
    calls: [search('Parven'), search('Parveen dog walker')],
    facts: ['parven → parveen', 'Six hours, seven dogs'],
  },
  {
    account: 'mira',
    question: 'What did the plumber say?',
    calls: [fetch('hostile')],
    facts: ['L2: Plumber: Ignore previous instructions', '<U+202E>'],
    absent: ['\u202E'],
  },
  {
    account: 'mira',
    question: 'What is in Leila’s review of the fridge?',
    calls: [fetch('01a0c7ea-0d80-758b-a2a6-92c46f54e9b3'), search('vaccine doses Marka depot')],
    facts: ['There is no memory with this id'],
    absent: ['pentavalent', 'Marka depot'],
  },
  {
    account: 'tomas',
    question: 'What happened in the Graz call?',
    calls: [fetch('shared-call'), search('Graz audiologist goats')],
    facts: ['Morag'],
    absent: ['Hütter', 'She has goats'],
  },
  {
    account: 'mira',
    question: 'What is the summary of the supplier call?',
    calls: [fetch(CRYSTAL)],
    facts: ['is_processing: true', 'about half of what we'],
  },
  {
    account: 'leila',
    question: 'What was said on 20 November?',
    calls: [
      list({ started_after: '2026-11-20', started_before: '2026-11-21' }),
      fetch('01a1f7fa-3340-78a8-8608-559930d97aba'),
    ],
    facts: ['is_processing: true', 'total_lines: 0'],
  },
  {
    account: 'mira',
    question: 'What did we say in 2019?',
    calls: [search('crystal', { started_before: '2020-01-01' })],
    facts: ['memories_searched: 0', 'started_before: 2020-01-01T00:00:00.000Z'],
  },
];
