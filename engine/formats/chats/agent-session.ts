import { words } from '../../../platform/common/words.js'
import { textOf } from '../shared/conversation.js'
import { flat } from '../shared/flat.js'

/** What one line of a session says. */
export interface SessionEvent {
  who: 'user' | 'agent'
  /** Markdown. */
  text: string
  /** Milliseconds since 1970. */
  time: number | undefined
}

/** What is known of a session besides what is said in it. */
export interface SessionFacts {
  agent: 'Claude Code' | 'Codex' | 'Gemini CLI'
  id?: string
  /** The folder that it was started in. */
  folder?: string
  title?: string
  /** When it was begun, in milliseconds since 1970. */
  time?: number
}

/** What a line yields: facts, events, both or nothing. */
export interface SessionLine {
  facts?: SessionFacts
  events: SessionEvent[]
}

/** Characters of the line about the use of a tool. */
const MAX_USE_LENGTH = 200

/** Arguments that say what a tool was used for, best first. */
const TELLING = [
  ...words(`description command cmd file_path pattern query path absolute_path dir_path url objective
    prompt explanation`),
]

/** `Bash: npm test`: the use of a tool, without what it put out. */
export function toolUse(name: unknown, input: Record<string, unknown>): string {
  const use = TELLING.map(key => input[key]).find(value => value !== undefined && value !== '')
  const command = Array.isArray(use) ? use.map(part => textOf(part)).join(' ') : textOf(use)
  const patched = filesPatched(command || textOf(input.input) || textOf(input.patch))
  const what = flat(patched || command.replace(SHELL, ''))
  const cut =
    what.length > MAX_USE_LENGTH ? `${what.slice(0, MAX_USE_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : what
  return `- ${textOf(name) || 'tool'}${cut === '' ? '' : `: ${cut.replaceAll('`', "'")}`}`
}

/** What runs a command. */
const SHELL = /^(?:\/\S{1,40}\/)?(?:ba|z)?sh -l?c /
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: ([^\n]{1,300})$/gm
const MAX_PATCHED = 10

/** The files that a patch in the form of Codex changes; empty if it is none. */
function filesPatched(text: string): string {
  if (!text.includes('*** Begin Patch')) return ''
  const files = [...new Set([...text.matchAll(PATCHED)].map(([, file = '']) => file.trim()))]
  return files.slice(0, MAX_PATCHED).join(', ')
}

/** What agents add to the messages of people. */
const ADDED = [
  ...words(`system-reminder local-command-stdout local-command-stderr local-command-caveat command-message
    command-contents bash-stdout bash-stderr task-notification ide_opened_file ide_selection
    environment_context user_instructions collaboration_mode INSTRUCTIONS session_context`),
  'permissions instructions',
]

/** What editors write around a request to Codex: open files, what is selected. */
const FROM_EDITOR = /^\s{0,20}# Context from my IDE setup:/
const REQUEST = '## My request for Codex:'
/** What `/init` of Codex and of Gemini CLI stands for. */
const INIT =
  /^(?:You are an AI agent that brings the power of Gemini directly into the terminal\. Your task is to analyze the current directory|Generate a file named AGENTS\.md that serves as a contributor guide)/

function requestIn(text: string): string {
  const at = FROM_EDITOR.test(text) ? text.lastIndexOf(REQUEST) : -1
  return at < 0 ? text : text.slice(at + REQUEST.length)
}

/** What somebody has typed, without what the program added. */
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
  let [kept, at] = ['', 0]
  for (;;) {
    const begin = text.indexOf(open, at)
    const end = begin < 0 ? -1 : text.indexOf(close, begin)
    if (end < 0) return kept + text.slice(at)
    kept += text.slice(at, begin)
    at = end + close.length
  }
}
