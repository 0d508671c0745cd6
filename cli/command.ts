import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Where a command runs: everything it may touch of its process. */
export interface CommandContext {
  /** The service's domains, opened at the first call. */
  open(): Promise<FastifyInstance>
  env: Record<string, string | undefined>
  stdin: Readable & { isTTY?: boolean }
  /** For results only: ids, lines of a list, JSON. */
  stdout: Writable
  /** For people: progress, reports, refusals. */
  stderr: Writable & { isTTY?: boolean }
}

/** Options of commands that print a list or an object. */
export interface Printed {
  json?: true
}

/** What was asked cannot be done. Exit code 1. */
export class CommandError extends Error {}

export const print = (context: CommandContext, line: string) => void context.stdout.write(`${line}\n`)

export const printMessage = (context: CommandContext, line: string) => void context.stderr.write(`${line}\n`)

/** A list as lines of tab-separated fields, or as JSON; each row is printed when it comes. */
export async function printList<Row extends object>(
  context: CommandContext,
  { json }: Printed,
  rows: Iterable<Row> | AsyncIterable<Row>,
  columns: (keyof Row)[],
): Promise<void> {
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
async function write({ stdout }: CommandContext, text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain')
}
