import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { ParseArgsConfig } from 'node:util'
import type { FastifyInstance } from 'fastify'

/** One thing `svc` can do. */
export interface Command {
  /** The words that name it, e.g. `safe import`. */
  name: string
  /** What follows the name, e.g. `SAFE FILE|- [--format F]`. Upper-case words are what the person fills in. */
  usage: string
  summary: string
  options?: NonNullable<ParseArgsConfig['options']>
  run(context: Context, args: Arguments): Promise<void>
}

/** Where a command runs: everything it may touch of its process. */
export interface Context {
  /** The service's domains, opened at the first call. */
  open(): Promise<FastifyInstance>
  env: Record<string, string | undefined>
  stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown }
  /** For results only: ids, lines of a list, JSON. */
  stdout: Writable
  /** For people: progress, reports, refusals. */
  stderr: Writable & { isTTY?: boolean }
}

/** What a person fills in. */
export type Word = 'EMAIL' | 'NAME' | 'SAFE' | 'FILE' | 'IMPORT' | 'QUESTION' | 'ID'

/** What was typed after the command's name: the words of its usage, all there but for `[WORD]`, and its options. */
export type Arguments = Record<Exclude<Word, 'QUESTION'>, string> & {
  QUESTION?: string | undefined
  options: Record<string, string | string[] | boolean | undefined>
}

/** The command was not typed as its usage says. Exit code 2. */
export class UsageError extends Error {}

/** What was asked cannot be done. Exit code 1. */
export class Refusal extends Error {}

export const print = (context: Context, line: string) => void context.stdout.write(`${line}\n`)

export const tell = (context: Context, line: string) => void context.stderr.write(`${line}\n`)

/** A list as lines of tab-separated fields, or as JSON; each row is printed when it comes. */
export async function printList<Row extends object>(
  context: Context,
  args: Arguments,
  rows: Iterable<Row> | AsyncIterable<Row>,
  columns: (keyof Row)[],
): Promise<void> {
  const { json } = args.options
  let open = false
  for await (const row of rows) {
    if (json) await write(context, `${open ? ',' : '['}\n${inList(row)}`)
    else await write(context, `${columns.map(column => String(row[column] ?? '')).join('\t')}\n`)
    open = true
  }
  if (json) print(context, open ? '\n]' : '[]')
}

/** As `JSON.stringify` writes an item of a list. */
const inList = (row: object) => JSON.stringify(row, null, 2).replaceAll(/^/gm, '  ')

/** Waits where whoever reads is slower than the list. */
async function write({ stdout }: Context, text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain')
}
