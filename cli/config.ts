import { describeConfig, loadConfig, settingsTable } from '../plugins/config.js'
import { openDatabase } from '../plugins/database.js'
import { type Command, print, printList, tell } from './command.js'

export const configCommands: Command[] = [
  {
    name: 'migrate',
    usage: '',
    summary: 'Brings the database up to date, for release commands; the server does the same when it starts.',
    async run(context) {
      const { dataDir, databaseUrl } = loadConfig(context.env)
      const database = await openDatabase({ dataDir, databaseUrl, role: 'cli' })
      await database.close()
      tell(context, 'The database is up to date.')
    },
  },
  {
    name: 'config',
    usage: '[--json] [--markdown]',
    summary: 'Shows every setting: name, value (secrets withheld) and where it comes from.',
    options: { json: { type: 'boolean' }, markdown: { type: 'boolean' } },
    async run(context, args) {
      if (args.options.markdown) return print(context, settingsTable())
      await printList(context, args, describeConfig(context.env), ['name', 'value', 'from'])
      loadConfig(context.env)
    },
  },
]
