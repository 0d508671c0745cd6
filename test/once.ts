/** The same result for every call; the first call creates it. */
export function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | null = null
  return () => {
    made ??= make()
    return made
  }
}
