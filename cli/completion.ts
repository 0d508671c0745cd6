import { Argument, type Command } from 'commander'
import { type CommandContext, print } from './command.js'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `svc completion SHELL`: words of commands and options; files where neither fits. */
export function completionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('Prints a script for a shell to complete svc commands and options.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
Where it goes:
  bash  source <(svc completion bash)      in ~/.bashrc
  zsh   source <(svc completion zsh)       in ~/.zshrc, after compinit
  fish  svc completion fish | source       in ~/.config/fish/config.fish`,
    )
    .action((shell: (typeof SHELLS)[number]) => {
      const words = wordsOf(program)
      print(context, shell === 'fish' ? forFish(program) : forBash(words, shell === 'zsh'))
    })
}

/** The path of each command, such as `safe add`, and the words that may follow it. */
function wordsOf(command: Command, path = ''): Map<string, string[]> {
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short }) => long ?? short ?? '')
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const all = new Map([[path, [...command.commands.map(inner => inner.name()), ...choices, ...options]]])
  for (const inner of command.commands)
    for (const [below, words] of wordsOf(inner, `${path} ${inner.name()}`.trim())) all.set(below, words)
  return all
}

/** Names and options consist of letters and hyphens, so nothing needs quoting. */
function forBash(words: Map<string, string[]>, isZsh: boolean): string {
  const paths = [...words.keys()].filter(path => path !== '')
  const cases = [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`)
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_svc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' longer word words='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    longer="\${path:+$path }$word"
    case "$longer" in
    ${paths.map(path => `'${path}'`).join('|')}) path="$longer" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc svc`
}

/** `-f`: no files where a command, or one of a few words, is expected. */
function forFish(program: Command): string {
  const lines: string[] = []
  const offer = (within: string, words: string) => lines.push(`complete -c svc -n '${within}' ${words}`)
  const offerAll = (command: Command, within: string) => {
    for (const { hidden, long, short, description } of command.options) {
      const names = [long && `-l ${long.slice(2)}`, short && `-s ${short.slice(1)}`].filter(Boolean)
      if (!hidden) offer(within, `${names.join(' ')} -d ${quoted(description)}`)
    }
    for (const { argChoices } of command.registeredArguments)
      if (argChoices) offer(within, `-f -a ${quoted(argChoices.join(' '))}`)
  }
  const offerCommand = (command: Command, within: string) =>
    offer(within, `-f -a ${command.name()} -d ${quoted(command.description())}`)
  for (const group of program.commands) {
    offerCommand(group, '__fish_use_subcommand')
    const inGroup = `__fish_seen_subcommand_from ${group.name()}`
    const names = group.commands.map(inner => inner.name()).join(' ')
    if (names === '') offerAll(group, inGroup)
    for (const inner of group.commands) {
      offerCommand(inner, `${inGroup}; and not __fish_seen_subcommand_from ${names}`)
      offerAll(inner, `${inGroup}; and __fish_seen_subcommand_from ${inner.name()}`)
    }
  }
  return lines.join('\n')
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
