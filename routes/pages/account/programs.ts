import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import { chosenSafes, isLimit } from '../../../domain/oauth/connections/choice.js'
import { PROGRAM } from '../../../domain/oauth/connections/issue-tokens.js'
import { READ, WRITE } from '../../../domain/oauth/scope.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { accountTexts } from '../../../views/texts/account.js'
import { withReads } from '../connections/connection-reads.js'
import { chosenIn, offerSafes, positionIn, tooManyChosen } from '../connections/safe-choice.js'
import { formPage } from '../form-page.js'
import { TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { type Entered, type ProgramsPage, programRow, REACHES } from './programs-view.js'

/** Maximum open connections searched for programs, and maximum programs shown. */
const MAX_CONNECTIONS = 500

const Add = {
  body: Type.Object({
    name: TextField(100),
    days: Type.String({ pattern: '^[1-9][0-9]?$' }),
    reach: Type.Union(REACHES.map(reach => Type.Literal(reach))),
    propose: Type.Optional(Type.Literal('yes')),
    only: Type.Optional(TextField(10)),
    safe: Type.Optional(Type.Union([TextField(64), Type.Array(TextField(64), { maxItems: 500 })])),
    list: Type.Optional(TextField(64)),
    after: Type.Optional(TextField(64)),
    search: Type.Optional(TextField(100)),
  }),
}

type Body = Static<typeof Add.body>
type AddRequest = FastifyRequest<{ Body: Body }>

interface ProgramsContent {
  entered?: Body
  made?: ProgramsPage['made']
  error?: string
}

/** Programs without sign-in: each has a connection with its own token, which is shown once. */
export default async function programPages(app: TypedApp) {
  app.get('/account/programs', (request, reply) => showPrograms(request, accountOf(request), reply, {}))
  app.post(
    '/account/programs',
    { schema: Add },
    formPage({
      load: accountOf,
      change: add,
      show: showPrograms,
      entered: ({ body }: AddRequest): ProgramsContent => ({ entered: body }),
    }),
  )
}

async function showPrograms(
  request: FastifyRequest,
  { id }: Account,
  reply: FastifyReply,
  shown: ProgramsContent,
) {
  const { safes, oauth, config } = request.server
  const { entered, made = null, error } = shown
  const choice = entered ? chosenIn(entered) : null
  const open = await oauth.connections.listFor(id, { kind: 'open', limit: MAX_CONNECTIONS })
  const programs = open.filter(({ clientId, ended }) => clientId === PROGRAM && !ended)
  return reply.page<ProgramsPage>('programs', {
    here: 'account',
    made,
    programs: (await withReads(request.server, id, programs)).map(programRow),
    entered: enteredIn(entered),
    safeChoice: await offerSafes(safes, id, choice, entered && positionIn(entered)),
    hasProposals: config.hasProposals,
    error: error ?? (choice ? tooManyChosen(choice) : undefined),
  })
}

const enteredIn = ({ name = '', days = '30', reach = 'mcp', propose }: Partial<Body> = {}): Entered => ({
  name,
  days: Number(days),
  reach,
  propose: propose === 'yes',
})

/** Creates a program and shows its token, or shows another page of Safes to choose from. */
async function add({ server, body }: AddRequest, { id }: Account): Promise<ProgramsContent> {
  if (body.list !== undefined) return { entered: body }
  const { safes, oauth, config } = server
  const isApi = body.reach !== 'mcp'
  const choice = { ...chosenIn(body), scope: [] }
  const chosen = chosenSafes(choice)
  if ((await safes.readableAmong(id, chosen)).length < chosen.length)
    throw new DomainError(400, 'bad_choice', accountTexts.programs.missingSafe)
  const clientName = body.name.trim()
  if (clientName === '') throw new DomainError(400, 'no_name', accountTexts.programs.nameHint)
  const { accessToken, expiresAt, connectionId } = await oauth.issueTokens(id, {
    clientName,
    days: Number(body.days),
    grant: {
      scope: body.reach === 'fill' ? [READ, WRITE] : [READ],
      chosenSafeIds: chosen,
      onlyChosenSafe: isLimit(choice, isApi),
      ...(isApi
        ? { resource: 'api' as const }
        : { mayPropose: config.hasProposals && body.propose === 'yes' }),
    },
  })
  return { made: { name: clientName, token: accessToken, expiresAt, connectionId, isApi } }
}
