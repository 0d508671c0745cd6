import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../../test/free-port.js'
import type { Question } from './child.js'

/** A program that listens on `port` of 127.0.0.1, and the data it sent when it was ready. */
export interface Program<Hello = object> {
  port: number
  hello: Hello
  /** Answers with the microseconds of CPU that the program has used. */
  ask(question: Question): Promise<number>
}

/** The processes of a bench and the folder they work in. */
export class Programs {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  readonly #children: ChildProcess[] = []

  /** Starts a compiled program of ours, as plain JavaScript and in production. */
  async start<Hello = object>(file: string, ...args: string[]): Promise<Program<Hello>> {
    const child = fork(file, args, {
      env: { PATH: process.env.PATH, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#children.push(child)
    let heard: { resolve(message: never): void; reject(error: Error): void } | undefined
    child.on('message', message => heard?.resolve(message as never))
    child.on('exit', () => heard?.reject(new Error(`${file} ended`)))
    const answer = <T>() => new Promise<T>((resolve, reject) => (heard = { resolve, reject }))
    const hello = await answer<Hello & { port: number }>()
    return {
      port: hello.port,
      hello,
      ask(question) {
        child.send(question)
        return answer<number>()
      },
    }
  }

  /** A redis-server that writes nothing to disk. */
  async startRedis(): Promise<string> {
    const port = await freePort()
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', this.folder]
    this.#children.push(spawn('redis-server', args, { stdio: 'ignore' }))
    const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null })
    redis.on('error', () => {})
    await redis.ping()
    redis.disconnect()
    return `redis://127.0.0.1:${port}`
  }

  async stop(): Promise<void> {
    for (const child of this.#children.reverse()) {
      if (child.exitCode !== null) continue
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}
