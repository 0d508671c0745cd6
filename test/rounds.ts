/** How often something random or large is tried: `few` times in `npm test`, `many` in `npm run test:deep`. */
export const rounds = (few: number, many: number): number => (process.env.DEEP ? many : few)
