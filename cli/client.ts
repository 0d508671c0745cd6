import type { Command } from 'commander'
import { OAuthError } from '../domain/oauth/error.js'
import { type CommandContext, CommandError, print, printMessage } from './command.js'

/** Adds `svc client …`. */
export function clientCommands(program: Command, context: CommandContext): void {
  program
    .command('client')
    .description('Manage apps that connect.')
    .command('add')
    .description('Registers an app that does not register itself, and prints its client id.')
    .argument('<name>', 'Its name, for people.')
    .argument('<callback...>', 'The redirect addresses that it uses.')
    .action(async (name: string, callbacks: string[]) => {
      const app = await context.open()
      const { clients } = app.oauth
      try {
        const { id } = await clients.register({ client_name: name, redirect_uris: callbacks })
        // Stored as if it had been used: unused registrations of strangers are removed after a week.
        await clients.saveApproved({ clientId: id, clientName: name, redirectUri: callbacks[0] ?? '' })
        print(context, id)
        printMessage(context, `For ${app.config.baseUrl}/mcp/v1; it has no client secret.`)
      } catch (error) {
        if (error instanceof OAuthError) throw new CommandError(error.description)
        throw error
      }
    })
}
