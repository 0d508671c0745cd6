import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { printable, visibleText } from '../platform/common/visible-text.js'
import type { SafesLocation } from './target.js'
import type { Stdout } from './terminal.js'

/** The environment of a command: everything it may use of its process. */
export interface CommandContext {
  /**
   * The domains of the service on this machine, opened on the first call.
   * @throws CommandError if the command is for a server on another machine
   */
  open(): Promise<FastifyInstance>
  /** The location of this command's Safes: on this machine, or on a server. */
  target(): Promise<SafesLocation>
  /** Makes this process the server. */
  startServer(): Promise<void>
  env: Record<string, string | undefined>
  stdin: Readable & { isTTY?: boolean }
  /** For results only: ids, list lines, JSON. */
  stdout: Stdout
  /** For people: progress, reports, errors. */
  stderr: Writable & { isTTY?: boolean }
}

/** Options of commands that print a list or an object. */
export interface Printed {
  json?: true
}

/** A command cannot be carried out. Exit code 1. */
export class CommandError extends Error {}

/** A command was called in a way that cannot work. Exit code 2. */
export class UsageError extends CommandError {}

/** Writes a line of the result, as it is. */
export const print = (context: CommandContext, line: string) => void context.stdout.write(`${line}\n`)

/** Prints a line for people. Texts of servers and files in it cannot begin a new line. */
export const printMessage = ({ stderr }: Pick<CommandContext, 'stderr'>, line: string) =>
  void stderr.write(`${printable(line.replaceAll('\n', ' '))}\n`)

/** Prints a list as tab-separated lines, under their names on a terminal, or as JSON, one row at a time. */
export async function printList<Row extends object>(
  context: CommandContext,
  { json }: Printed,
  rows: Iterable<Row> | AsyncIterable<Row>,
  columns: (keyof Row)[],
): Promise<void> {
  const cell = context.stdout.isTTY ? visibleText : (text: string) => text
  let open = false
  for await (const row of rows) {
    if (!json && !open && context.stdout.isTTY) await write(context, `${heading(context, columns)}\n`)
    if (json) await write(context, `${open ? ',' : '['}\n${inList(row)}`)
    else await write(context, `${columns.map(column => cell(String(row[column] ?? ''))).join('\t')}\n`)
    open = true
  }
  if (json) print(context, open ? '\n]' : '[]')
}

/** The names of columns, in bold unless NO_COLOR is set (https://no-color.org). */
function heading({ env }: CommandContext, columns: readonly PropertyKey[]): string {
  const names = columns.map(String).join('\t').toUpperCase()
  return env.NO_COLOR ? names : `\x1b[1m${names}\x1b[0m`
}

/** Formats a list item as `JSON.stringify` does. */
const inList = (row: object) => JSON.stringify(row, null, 2).replaceAll(/^/gm, '  ')

/** Waits while the reader is slower than the list. */
async function write({ stdout }: CommandContext, text: string): Promise<void> {
  if (stdout.errored) throw stdout.errored
  if (!stdout.write(text)) await once(stdout, 'drain')
}
