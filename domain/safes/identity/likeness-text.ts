import { counted } from '../../../platform/common/format.js'

/** Why two names may be of the same thing. */
const LIKENESS = {
  name: 'one has the name of the other',
  letters: 'the same letters',
  order: 'the same words in another order',
  initials: 'initials',
  middle: 'one without the middle name',
  plural: 'singular and plural',
  spelling: 'one letter differs',
  acronym: 'an acronym of the other',
}

/** Why two things may be the same, for pages and the command line. `common`: the number of common neighbours. */
export const likenessText = (how: keyof typeof LIKENESS, common: number) =>
  common === 0 ? LIKENESS[how] : `${LIKENESS[how]}; ${counted('neighbour', 'neighbours')(common)} in common`
