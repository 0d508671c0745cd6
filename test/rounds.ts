/** How often a random or large case is tried: `few` times in `npm test`, `many` in `npm run test:deep`. */
export const rounds = (few: number, many: number): number => (process.env.DEEP ? many : few)
