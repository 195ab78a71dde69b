// Stop words: words so common that a question is ranked without them, if it has others.

/** English, folded, without apostrophes. `question/languages.ts` has those of other languages. */
const STOP_WORDS = new Set(
  (
    'a about after again all also am an and any are as at be because been before being between both but by ' +
    'can could did do does doing down during each few for from further had has have having he her here hers ' +
    'him his how i if in into is it its just me more most my no nor not now of off on once only or other our ' +
    'out over own same she should so some such than that the their them then there these they this those ' +
    'through to too under until up us very was we were what when where which while who whom whose why will ' +
    'with would you your s t re ve ll d m ' +
    'didn doesn don hadn hasn haven isn aren wasn weren won wouldn couldn shouldn ' +
    'didnt doesnt dont hadnt hasnt havent isnt arent wasnt werent wont wouldnt couldnt shouldnt cant'
  ).split(' '),
);

/** Returns whether a folded word is a stop word. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Words that ask for a talk and are not its topic: "Summarize the discussion about the budget". */
const FRAME_WORDS = new Set(
  (
    'accord according conversation conversations describe described describes describing discuss discussed discusses ' +
    'discussing discussion discussions kind meeting meetings mention mentioned mentions mentioning opinion opinions ' +
    'regarding said say saying says summarise summarised summarize summarized summary tell ' +
    'telling tells think thinking thinks thought told type'
  ).split(' '),
);

/** Returns whether a folded word asks for a talk and is not its topic. */
export function isFrameWord(word: string): boolean {
  return FRAME_WORDS.has(word);
}

/** Returns whether a folded word asks for talks of some time and names nothing in them: "What happened last week?" */
export function asksForAny(word: string): boolean {
  return isStopWord(word) || isFrameWord(word) || /^happen(s|ed|ing)?$/.test(word);
}

/** What follows an apostrophe in English: didn't, we'll, Henrik's. */
const ENDINGS = new Set(['s', 't', 're', 've', 'll', 'd', 'm']);

/** Returns whether a folded word is what follows an apostrophe in English. */
export function isContraction(word: string): boolean {
  return ENDINGS.has(word);
}
