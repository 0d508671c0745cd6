import type { Command } from 'commander'
import type { CommandContext } from './command.js'

/** Adds `svc start`. */
export function startCommand(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('Starts the server. Its settings are environment variables: see svc config.')
    .action(() => context.startServer())
}
