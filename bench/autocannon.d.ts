/** The little of autocannon that the benches use; it ships no types. */
declare module 'autocannon' {
  interface Options {
    url: string
    method: 'POST'
    headers: Record<string, string>
    body: string
    connections: number
    /** Seconds. */
    duration: number
  }
  interface Result {
    /** Per second, and all of them. */
    requests: { average: number; total: number }
    non2xx: number
    errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
