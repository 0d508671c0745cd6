// Types of packages in test/deep/package.json: types are checked without the packages.
declare module 'gpt-tokenizer/*'

declare module 'tus-js-client' {
  /** An exchange, with the methods that tests call. */
  interface Exchange {
    getMethod(): string
    getHeader(name: string): string | undefined
  }
  export class Upload {
    constructor(content: Buffer, options: UploadOptions)
    readonly url: string | null
    start(): void
  }
  interface UploadOptions {
    endpoint: string
    headers: Record<string, string>
    metadata: Record<string, string>
    chunkSize: number
    retryDelays: number[]
    onChunkComplete(size: number, accepted: number): void
    onAfterResponse(request: Exchange, response: Exchange): void
    onSuccess(): void
    onError(error: Error): void
  }
}
declare module 'recheck' {
  export type Diagnostics =
    | { status: 'safe' }
    | { status: 'vulnerable'; complexity: { summary: string } }
    | { status: 'unknown'; error: unknown }
  export function check(source: string, flags: string, limits: object): Promise<Diagnostics>
}

declare module 's3rver' {
  interface Options {
    silent: boolean
    directory: string
    configureBuckets: { name: string }[]
  }
  export default class S3rver {
    constructor(options: Options)
    configureBuckets(): Promise<void>
    callback(): import('node:http').RequestListener
  }
}

declare module 'aws4' {
  interface Request {
    service: string
    region: string
    method: string | undefined
    path: string | undefined
    headers: Record<string, string>
  }
  function sign(
    request: Request,
    keys: { accessKeyId: string; secretAccessKey: string },
  ): { headers: Record<string, string> }
}
