import { counted } from '../../../platform/common/format.js'

/** Why two names may be of one thing. */
const LIKENESS = {
  name: 'one is called like the other',
  letters: 'the same letters',
  order: 'the words in another order',
  initials: 'initials',
  middle: 'a name in the middle left out',
  plural: 'singular and plural',
  spelling: 'one letter differs',
  acronym: 'the first letters of its words',
}

/** Why two things may be one, for pages and the command line. `common`: the number of common neighbours. */
export const likenessText = (how: keyof typeof LIKENESS, common: number) =>
  common === 0 ? LIKENESS[how] : `${LIKENESS[how]}; ${counted('neighbour', 'neighbours')(common)} in common`
