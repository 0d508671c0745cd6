import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.js'
import type { Program } from './programs.js'

/** One client: does the next piece of its work over a connection. Throws if the answer is not as expected. */
export type Client = (connection: Connection) => Promise<void>

/** The service refuses with 503 any request it cannot answer in time, also if other processes use the machine. */
export class Refused extends Error {}

export interface Subject {
  name: string
  program: Program
  /** Per client; it fetches its prerequisites the first time. */
  newClient: () => Client
  /** The role in the comparison: reference, rival or subject. */
  role?: 'reference' | 'rival'
  /** Subjects with the same work are compared with the reference and the rival of that work; '' means any. */
  work: string
  /** Number of concurrent clients. */
  clients?: number
}

export interface Measured extends Subject {
  /** Pieces of work per second, one figure per round. */
  rates: number[]
  /** Microseconds of the program's CPU per piece of work, one figure per round: steadier on a busy machine. */
  cpu: number[]
  /** In all rounds. */
  refused: number
}

export interface RoundOptions {
  rounds: number
  seconds: number
  /** A folder for a CPU profile of each subject, taken in a round of its own. */
  profiles: string | undefined
}

/** Default number of concurrent clients. */
export const CLIENTS = 50
const WARM_UP_SECONDS = 1
/** Maximum share of refused requests in a round: refusals would make the figures look too good. */
const REFUSED_AT_MOST = 0.02

/** Interleaved, so that other work of the machine affects all alike. */
export async function measure(subjects: Subject[], options: RoundOptions): Promise<Measured[]> {
  const measured = subjects.map((each): Measured => ({ ...each, rates: [], cpu: [], refused: 0 }))
  const clientsOf = new Map(
    measured.map(each => [each, Array.from({ length: each.clients ?? CLIENTS }, each.newClient)]),
  )
  for (const each of measured) await drive(each, clientsOf.get(each) ?? [], WARM_UP_SECONDS)
  for (let round = 0; round < options.rounds; round++) {
    for (const each of measured) {
      const { rate, cpu, refused, requests } = await drive(each, clientsOf.get(each) ?? [], options.seconds)
      if (refused > REFUSED_AT_MOST * requests) throw new Error(`${each.name}: ${refused} were refused`)
      each.refused += refused
      each.rates.push(rate)
      each.cpu.push(cpu)
    }
  }
  for (const each of options.profiles ? measured : []) {
    await each.program.ask({ ask: 'profile' })
    const { requests } = await drive(each, clientsOf.get(each) ?? [], options.seconds)
    const file = `${options.profiles}/${each.name.replace(/\W+/g, '-')}.cpuprofile`
    await each.program.ask({ ask: 'profile-end', file, requests })
  }
  return measured
}

/** A closed loop: each client begins its next piece of work when the last one is done. */
async function drive({ name, program }: Subject, clients: Client[], seconds: number) {
  const connections = await Promise.all(clients.map(() => Connection.open(program.port)))
  const cpuBefore = await program.ask({ ask: 'cpu' })
  const began = performance.now()
  let [requests, refused] = [0, 0]
  const work = async (client: Client, connection: Connection) => {
    do {
      try {
        await client(connection)
        requests++
      } catch (error) {
        if (!(error instanceof Refused)) throw new Error(`${name}: ${(error as Error).message}`)
        refused++
        await sleep(50)
      }
    } while (performance.now() - began < seconds * 1000)
  }
  await Promise.all(clients.map((client, i) => work(client, connections[i] as Connection)))
  const rate = (requests * 1000) / (performance.now() - began)
  const cpu = ((await program.ask({ ask: 'cpu' })) - cpuBefore) / requests
  for (const connection of connections) connection.close()
  await sleep(50)
  return { rate, cpu, requests, refused }
}
