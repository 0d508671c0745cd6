import { words } from '../../../platform/common/words.js'
import { flat } from '../shared/flat.js'
import { type Members, textOf } from '../shared/json.js'

/** A message in one line of a session. */
export interface SessionEvent {
  who: 'user' | 'agent'
  /** Markdown. */
  text: string
  /** Milliseconds since 1970. */
  time: number | undefined
}

/** Metadata of a session. */
export interface SessionFacts {
  agent: 'Claude Code' | 'Codex' | 'Gemini CLI'
  id?: string
  /** The folder where it was started. */
  folder?: string
  title?: string
  /** The start time, in milliseconds since 1970. */
  time?: number
}

/** The contents of a line: facts, events, both or neither. */
export interface SessionLine {
  facts?: SessionFacts
  events: SessionEvent[]
}

/** Maximum characters of a line about the use of a tool. */
const MAX_USE_LENGTH = 200

/** Arguments that best describe the use of a tool, best first. */
const TELLING = [
  ...words(`description command cmd file_path pattern query path absolute_path dir_path url objective
    prompt explanation`),
]

/** `Bash: npm test`: the use of a tool, without its output. */
export function toolUse(name: unknown, input: Members): string {
  const use = TELLING.map(key => input[key]).find(value => value !== undefined && value !== '')
  const command = Array.isArray(use) ? use.map(part => textOf(part)).join(' ') : textOf(use)
  const patched = filesPatched(command || textOf(input.input) || textOf(input.patch))
  const what = flat(patched || command.replace(SHELL, ''))
  const cut =
    what.length > MAX_USE_LENGTH ? `${what.slice(0, MAX_USE_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : what
  return `- ${textOf(name) || 'tool'}${cut === '' ? '' : `: ${cut.replaceAll('`', "'")}`}`
}

/** Shell prefixes of a command. */
const SHELL = /^(?:\/\S{1,40}\/)?(?:ba|z)?sh -l?c /
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: ([^\n]{1,300})$/gm
const MAX_PATCHED = 10

/** The files changed by a patch in Codex format; empty if it is not a patch. */
function filesPatched(text: string): string {
  if (!text.includes('*** Begin Patch')) return ''
  const files = [...new Set([...text.matchAll(PATCHED)].map(([, file = '']) => file.trim()))]
  return files.slice(0, MAX_PATCHED).join(', ')
}

/** Text that agents add to user messages. */
const ADDED = [
  ...words(`system-reminder local-command-stdout local-command-stderr local-command-caveat command-message
    command-contents bash-stdout bash-stderr task-notification ide_opened_file ide_selection
    environment_context user_instructions collaboration_mode INSTRUCTIONS session_context`),
  'permissions instructions',
]

/** Context that editors add to a request to Codex: open files, selections. */
const FROM_EDITOR = /^\s{0,20}# Context from my IDE setup:/
const REQUEST = '## My request for Codex:'
/** The prompt that `/init` expands to in Codex and Gemini CLI. */
const INIT =
  /^(?:You are an AI agent that brings the power of Gemini directly into the terminal\. Your task is to analyze the current directory|Generate a file named AGENTS\.md that serves as a contributor guide)/

function requestIn(text: string): string {
  const at = FROM_EDITOR.test(text) ? text.lastIndexOf(REQUEST) : -1
  return at < 0 ? text : text.slice(at + REQUEST.length)
}

/** The text typed by the user, without additions of the program. */
export function typed(text: string): string {
  let rest = text
  for (const name of ADDED) rest = withoutBlocks(rest, `<${name}>`, `</${name}>`)
  const [, command] = /<command-name>([^<]{1,200})<\/command-name>/.exec(rest) ?? []
  if (command !== undefined) {
    const [, given = ''] = /<command-args>([^<]{0,4000})<\/command-args>/.exec(rest) ?? []
    return given.trim() === '' ? '' : `${command.trim()} ${given.trim()}`
  }
  const clean = requestIn(rest).trim()
  if (INIT.test(clean)) return '/init'
  return /^(?:Caveat: The messages below|# AGENTS\.md instructions|\[Request interrupted|This session is being continued from)/.test(
    clean,
  )
    ? ''
    : clean
}

function withoutBlocks(text: string, open: string, close: string): string {
  const [before = '', ...rest] = text.split(open)
  const kept = rest.map(part => {
    const end = part.indexOf(close)
    return end < 0 ? open + part : part.slice(end + close.length)
  })
  return before + kept.join('')
}
