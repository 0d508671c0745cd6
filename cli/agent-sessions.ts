import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { contentsOf, type FolderContents } from '../domain/safes/sync/folder-contents.js'
import type { FoundFile } from '../domain/safes/sync/plan.js'
import { CommandError } from './command.js'
import { sessionContents } from './session-contents.js'

/** The session folder of a coding agent. */
interface AgentFolder {
  agent: string
  folder: string
  /** Paths of sessions in it. */
  sessions: RegExp
}

/** The folders of Claude Code, Codex and Gemini CLI, from their own settings or by default. */
export function agentFolders({ HOME, CLAUDE_CONFIG_DIR, CODEX_HOME }: NodeJS.ProcessEnv): AgentFolder[] {
  const home = HOME || homedir()
  return [
    {
      agent: 'Claude Code',
      folder: join(CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects'),
      sessions: /^[^/]+\/[^/]+\.jsonl$/,
    },
    {
      agent: 'Codex',
      folder: join(CODEX_HOME || join(home, '.codex'), 'sessions'),
      sessions: /(?:^|\/)rollout-[^/]+\.jsonl$/,
    },
    {
      agent: 'Gemini CLI',
      folder: join(home, '.gemini', 'tmp'),
      sessions: /^[^/]+\/chats\/session-[^/]+\.jsonl?$/,
    },
  ]
}

/**
 * The sessions of all coding agents on this machine, each below a folder named after its agent.
 * @throws CommandError if there is no agent
 */
export async function agentSessions(agents: readonly AgentFolder[]): Promise<FolderContents> {
  const all: FolderContents = {
    files: [],
    leftOut: { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 },
    folders: [],
  }
  for (const { agent, folder, sessions } of agents) {
    if (!(await isFolder(folder))) continue
    const { files, leftOut, folders } = await contentsOf(folder, path => sessions.test(path))
    all.files.push(...files.map(file => sessionOf(agent, file)))
    all.folders.push(...folders)
    // Agents store many other files there; only sessions that are too large are reported.
    all.leftOut.tooLarge += leftOut.tooLarge
  }
  if (all.folders.length === 0)
    throw new CommandError(
      `There are no sessions of coding agents in ${agents.map(({ folder }) => folder).join(', ')}.`,
    )
  return all
}

const sessionOf = (agent: string, file: FoundFile): FoundFile => ({
  ...file,
  path: `${agent}/${file.path}`,
  open: async () => sessionContents(await file.open()),
})

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}
