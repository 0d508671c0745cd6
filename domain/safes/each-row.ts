import type { Pause } from '../../engine/graph/index.js'
import { safeErrors } from './errors.js'

/** The rows of these pages one after the other, with other requests in between. @throws DomainError 503 once `signal` is aborted */
export async function* eachRow<Row>(
  pages: AsyncIterable<readonly Row[]>,
  pause: Pause,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  for await (const page of pages)
    for (const row of page) {
      yield row
      if (!pause.due()) continue
      if (signal?.aborted) throw safeErrors.stopped()
      await pause.rest()
    }
}

/** These pages in parts of at most `size` rows each. */
export async function* inParts<Row>(
  pages: AsyncIterable<readonly Row[]>,
  size: number,
): AsyncGenerator<Row[][]> {
  for await (const page of pages)
    yield page.flatMap((_, at) => (at % size === 0 ? [page.slice(at, at + size)] : []))
}
