// Particles: what Korean writes directly behind a noun, so that 회의록 finds 회의록을 as well.

/** A word that ends in Hangul. Folded text is composed, so a syllable is one character. */
const HANGUL = /[가-힣]$/;

/** After a vowel or a consonant alike. */
const AFTER_ANY =
  '에 의 도 만 에서 에게 한테 께 까지 부터 보다 처럼 마다 조차 밖에 에는 에도 에서는 에서도 에게는 들 들이 들은 들을 들의 들도 들과'.split(
    ' ',
  );
const AFTER_VOWEL = '가 를 는 와 로 라고 나 야 랑 였다 예요'.split(' ');
const AFTER_CONSONANT = '이 을 은 과 으로 이라고 이나 이야 이랑 이었다 이에요'.split(' ');

/** To the ear ㄹ ends a word as a vowel does before 로: 서울로. */
const FINAL_L = 8;
const FINALS = 28;
const FIRST_SYLLABLE = 0xac00;

/**
 * The particles that count after a noun of one syllable. The others end words of their own there: 강의 is no river but
 * a lecture, 지도 a map, 결과 a result, 바로 at once.
 */
const AFTER_ONE = new Set('에 에서 가 를 는 이 을 은'.split(' '));
/** The ones among them that are taken off a word of a query: 길이 is a length, not a road. */
const LEFT_BY_ONE = new Set('에 에서 를 는 을 은'.split(' '));

/** Whether a text has Hangul, so that its words of other letters can have particles, too: Notion에. */
export function hasHangul(text: string): boolean {
  return /[가-힣]/.test(text.normalize('NFC'));
}

/** Returns a word of a Korean query without and with the particles that may follow it, itself not among them. */
export function particleForms(word: string): string[] {
  const noun = nounOf(word);
  const bases = [...new Set([word, noun])].filter((base) => base.length > 1 || HANGUL.test(base));
  const forms = bases.flatMap((base) => [base, ...particlesAfter(base).map((each) => base + each)]);
  return [...new Set(forms)].filter((form) => form !== word);
}

/** Returns a word without its longest particle. */
function nounOf(word: string): string {
  for (let i = 1; i < word.length; i++) {
    const [noun, particle] = [word.slice(0, i), word.slice(i)];
    const isLeft = i > 1 || (HANGUL.test(noun) && LEFT_BY_ONE.has(particle));
    if (isLeft && particlesAfter(noun).includes(particle)) return noun;
  }
  return word;
}

const ALL = [...AFTER_ANY, ...AFTER_VOWEL, ...AFTER_CONSONANT];

function particlesAfter(noun: string): readonly string[] {
  // Behind a word of other letters, how that sounds decides: Notion에, Slack은.
  if (!HANGUL.test(noun)) return ALL;
  if (noun.length === 1) return particlesByFinal(noun).filter((each) => AFTER_ONE.has(each));
  return particlesByFinal(noun);
}

function particlesByFinal(noun: string): readonly string[] {
  const final = (noun.charCodeAt(noun.length - 1) - FIRST_SYLLABLE) % FINALS;
  if (final === 0) return [...AFTER_ANY, ...AFTER_VOWEL];
  return [...AFTER_ANY, ...AFTER_CONSONANT, ...(final === FINAL_L ? ['로'] : [])];
}
