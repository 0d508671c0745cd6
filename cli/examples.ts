import type { Command } from 'commander'

/** Command lines to copy, by command. The help of each shows its own, the manual page all of them. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  start: ['svc start', 'PORT=8080 DATA_DIR=/var/lib/svc svc start'],
  'account add': [
    'svc account add ada@example.com',
    'svc account add ada@example.com --password-stdin <password',
  ],
  'account list': ['svc account list', 'svc account list --json'],
  'account password': ['svc account password ada@example.com'],
  'account reset': ['svc account reset ada@example.com'],
  'account remove': ['svc account remove ada@example.com'],
  'safe add': ["svc safe add 'Work notes'", "svc safe add 'Work notes' --owner ada@example.com"],
  'safe list': ['svc safe list', 'svc safe list --json'],
  'safe share': ["svc safe share 'Work notes' bob@example.com --role reader"],
  'safe unshare': ["svc safe unshare 'Work notes' bob@example.com"],
  'safe import': [
    "svc safe import 'Work notes' ~/notes",
    "svc safe import 'Work notes' people.csv --dry-run",
  ],
  'safe imports': ["svc safe imports 'Work notes'"],
  'safe undo': ["svc safe undo 'Work notes' 12"],
  'safe sync': [
    "svc safe sync 'Work notes' ~/notes",
    "svc safe sync 'Work notes' ~/notes --watch --accept-notes Inbox",
  ],
  'safe single-valued': ["svc safe single-valued 'Work notes' 'lives in'"],
  'safe duplicates': ["svc safe duplicates 'Work notes'"],
  'safe merge': ["svc safe merge 'Work notes' 'Ada King' 'Ada Lovelace'"],
  'safe split': ["svc safe split 'Work notes' 'Ada King'"],
  'safe export': ["svc safe export 'Work notes' --format jsonl >work.jsonl"],
  'safe remove': ["svc safe remove 'Work notes'"],
  'safe removed': ['svc safe removed'],
  'safe restore': ["svc safe restore 'Work notes'"],
  'safe sample': ['svc safe sample'],
  ask: ["svc ask 'Work notes' 'Who leads the Lens Restoration?'", "svc ask 'Work notes' --recent"],
  'connection list': ['svc connection list'],
  'connection revoke': ['svc connection revoke 5kq2…'],
  'connection token': [
    "svc connection token ada@example.com --for 90d --name 'Nightly report' --safe 'Work notes'",
  ],
  'client add': ['svc client add Mastra http://localhost:4111/oauth/callback'],
  migrate: ['svc migrate'],
  config: ['svc config', 'svc config --json'],
  doctor: ['svc doctor', 'svc doctor --json'],
  backup: ['svc backup safes.db', 'svc backup - | age -r age1… >safes.age'],
  restore: ['svc restore safes.db', 'svc restore safes.db --yes --keep-sign-ins'],
  move: ['svc move --to postgres://svc@db.example.com/svc'],
  login: ['svc login https://safes.example.com', 'svc login https://safes.example.com --again'],
  logout: ['svc logout'],
  servers: ['svc servers'],
  status: ['svc status', 'svc status --json'],
  completion: ['source <(svc completion bash)', 'svc completion fish | source'],
}

/** A command and its subcommands, with their paths, such as `safe add`. */
export function pathsOf(command: Command, path = ''): [path: string, command: Command][] {
  return command.commands.flatMap(inner => {
    const below = `${path} ${inner.name()}`.trim()
    return [[below, inner] as [string, Command], ...pathsOf(inner, below)]
  })
}

/** Adds its examples to the help of each command. */
export function addExamples(program: Command): void {
  for (const [path, command] of pathsOf(program)) {
    const lines = EXAMPLES[path]
    if (lines) command.addHelpText('after', `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}`)
  }
}
