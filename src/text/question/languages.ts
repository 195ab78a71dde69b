// Languages: the most common words of languages other than English, folded, which say nothing about a topic.

/** The words of each language. Endings after an apostrophe are words too: l'eau, dell'acqua. */
const COMMON_WORDS = {
  de:
    'aber alle als also am an auch auf aus bei beim bin bis da damit dann das dass dein dem den der des die dies diese ' +
    'dieser dir doch du durch ein eine einem einen einer er es euch fur gab gesagt gesprochen geht gibt hab habe haben hat hatte hatten ich ihm ihn ihr ihre im in ist ' +
    'ja kann kein keine kostet man mehr mein meine mich mir mit muss nach nicht noch nur ob oder ohne sagt sagte sagten schon sehr sein ' +
    'seine sich sie sind so uber um und uns unser unsere unter vom von vor wann war waren warum was weil welche welcher ' +
    'welches wem wen wenn wer werden wie wieder wieso will wir wird wo woher wohin worden woruber wovon wurde wurden zu zum zur zwischen',
  es:
    'a al algo como con cual cuales cuando cuanta cuanto cuantas cuantos cuesta de del desde dice dicho dijeron dijo donde dos e el ella ellas ellos en entre era ' +
    'es esa ese eso esta estaba estan este esto fue fueron ha habia hablado hablamos hablaron hablo han hasta hay he la las le les lo los mas me mi mis muy ' +
    'ni no nos nosotros nuestra nuestro o para pero por porque que quien quienes se segun ser si sin sobre son su sus tambien ' +
    'te tiene tienen tu tuvo un una uno unos y ya yo',
  fr:
    'a ai as au aux avait avec avez avons c ca ce cela ces cette chez combien comme comment coute coutent d dans de des dit dont du elle ' +
    'elles en entre es est et etait etaient ete eu fait il ils j je l la le les leur leurs lui m ma mais me meme mes moi mon n ne ' +
    'nos notre nous on ont ou par parle parler pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ' +
    'ses si son sont sur t ta te toi ton tu un une vos votre vous y',
  it:
    'a abbiamo ai al alla alle anche avere avete aveva c che chi ci col come con cosa costa costano cui da dal dalla de dei del dell della delle ' +
    'detto di dice disse dove e ed era erano fatto gli ha hai hanno ho i il in io l la le lei li lo loro lui ma mi mia mio ne nei nel ' +
    'nella no noi non nostra nostro o ogni parlato per perche piu qual quale quali quando quanta quanti quanto quella quello questa questo se si sia sono ' +
    'su sua sue sul sulla suo ti tra tu un una uno vi voi',
  nl:
    'aan al alle als bij dat de deze die dit doen door dus een en er geen gesproken gezegd ging had hadden heb hebben heeft heel het hij hoe hoeveel hun ik ' +
    'in is je kan kon kost maar me meer men met mij mijn na naar niet nog nu of om omdat ons onze ook op over te toen tot u uit ' +
    'van veel voor waar waarom was wat we wel welk welke wie wij wanneer werd werden worden wordt zal ze zei zeggen zich zij zijn zo zonder',
  pt:
    'a ao aos as ate com como custa custam da das de depois disse disseram do dos e ela elas ele eles em entre era essa esse esta estava este ' +
    'eu falaram falou foi foram ha isso isto ja la lhe mais mas me mesmo meu minha muito na nao nas nem no nos nossa nosso num numa o onde os ou ' +
    'para pela pelo por porque qual quais quando quanto quantos que quem se sem ser seu seus sob sobre sua suas tambem te tem tinha ' +
    'tu um uma umas uns voce voces',
};

/** A language other than English that questions are read in. */
export type Language = keyof typeof COMMON_WORDS;

const languages = Object.entries(COMMON_WORDS).map(
  ([language, words]) => [language as Language, new Set(words.split(' '))] as const,
);

const NONE: ReadonlySet<string> = new Set();

/** How many of a question's words decide that it is in a language. English has "die", "war" and "hat" too. */
const DECIDING = 2;

/** The language of a question, if it is not English, and the words of it that are common in it. */
export interface Spoken {
  readonly language: Language | undefined;
  readonly common: ReadonlySet<string>;
}

/** Returns the language that most common words of a question belong to, if these are more than the English ones. */
export function languageOf(words: readonly string[], isEnglish: (word: string) => boolean): Spoken {
  const distinct = [...new Set(words)];
  let best: Spoken = { language: undefined, common: NONE };
  let most = Math.max(DECIDING - 1, distinct.filter(isEnglish).length);
  for (const [language, common] of languages) {
    const count = distinct.filter((word) => common.has(word)).length;
    if (count > most) [best, most] = [{ language, common }, count];
  }
  return best;
}
