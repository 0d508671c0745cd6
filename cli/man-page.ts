import { type Command, Help, type Option } from 'commander'
import { EXAMPLES, pathsOf } from './examples.js'

const help = new Help()

/** The manual page of all commands, in the language of man(7), from the same data as their help. */
export function manPage(program: Command): string {
  return [
    '.\\" Made by npm run docs -- man.',
    `.TH SVC 1 "" "svc" "User commands"`,
    '.SH NAME',
    'svc \\- Safes that AI assistants reach over MCP',
    '.SH SYNOPSIS',
    '.B svc',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    text(program.description()),
    'The settings of the service are environment variables; svc config shows them.',
    '.SH COMMANDS',
    ...pathsOf(program).flatMap(([path, command]) =>
      command.commands.length > 0 ? [] : ofCommand(path, command),
    ),
    '.SH OPTIONS OF ALL COMMANDS',
    ...program.options.flatMap(ofOption),
    ...item('-h, --help', 'Show help for a command.'),
    '.SH EXIT STATUS',
    '0: done. 1: refused or failed. 2: the command line is wrong, or a question could not be asked.',
    '.SH SEE ALSO',
    'docs/operation.md and docs/settings.md, which come with the source.',
    '',
  ].join('\n')
}

function ofCommand(path: string, command: Command): string[] {
  const usage = help.commandUsage(command).replace(/^.*? \[options\] ?/, '')
  const examples = EXAMPLES[path] ?? []
  const documented = command.registeredArguments.filter(({ description }) => description)
  return [
    `.SS svc ${text(path)} ${text(usage.startsWith('svc') ? '' : usage)}`.trimEnd(),
    text(help.subcommandDescription(command)),
    ...documented.flatMap(argument => item(argument.name(), argument.description)),
    ...command.options.filter(({ hidden }) => !hidden).flatMap(ofOption),
    ...(examples.length > 0
      ? ['.PP', '.nf', ...examples.map(line => `.RS 4\n${text(line)}\n.RE`), '.fi']
      : []),
  ]
}

const ofOption = (option: Option) => item(help.optionTerm(option), help.optionDescription(option))

const item = (term: string, description: string) => ['.TP', `\\fB${text(term)}\\fR`, text(description)]

/** Literal text: no roff requests, no escapes, and dashes that can be copied. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('’', '\\(cq')
    .replaceAll('…', '...')
    .replace(/^([.'])/gm, '\\&$1')
}
