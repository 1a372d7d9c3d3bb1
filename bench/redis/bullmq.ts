/** The peer: BullMQ flows, a job per step. A queue lives on one master, so there is one for each. */

import type { FlowJob } from 'bullmq'
import { FlowProducer, Worker } from 'bullmq'
import { Cluster } from 'ioredis'
import { slotOf } from '../../src-engine/store/redis/slots.ts'
import type { Subject } from '../subject.ts'
import type { OpenOnRedis } from './target.ts'

const queueName = 'steps'
const concurrency = 50
const slotCount = 16_384

interface Queue {
  readonly flows: FlowProducer
  readonly worker: Worker
}

/** Ends when the job that everything else is below of is done. */
class Flows implements Subject {
  readonly #queues: readonly Queue[]
  readonly #waiting = new Map<string, () => void>()
  readonly #closeConnections: () => void
  #count = 0

  constructor(queues: readonly Queue[], closeConnections: () => void) {
    this.#queues = queues
    this.#closeConnections = closeConnections
    for (const { worker } of queues) {
      worker.on('completed', (job) => {
        this.#waiting.get(job.name)?.()
        this.#waiting.delete(job.name)
      })
    }
  }

  chain(steps: number): Promise<void> {
    return this.#run((name) => {
      let job: FlowJob = { name: 'step', queueName }
      for (let step = 2; step <= steps; step += 1) {
        job = { name: step === steps ? name : 'step', queueName, children: [job] }
      }
      return job
    })
  }

  fan(branches: number): Promise<void> {
    const children = Array.from({ length: branches }, () => ({ name: 'step', queueName }))
    return this.#run((name) => ({ name, queueName, children }))
  }

  async close(): Promise<void> {
    await Promise.all(this.#queues.flatMap(({ flows, worker }) => [flows.close(), worker.close()]))
    this.#closeConnections()
  }

  async #run(made: (name: string) => FlowJob): Promise<void> {
    this.#count += 1
    const name = `last${this.#count}`
    const done = new Promise<void>((resolve) => this.#waiting.set(name, resolve))
    await this.#queues[this.#count % this.#queues.length]?.flows.add(made(name))
    await done
  }
}

export const openBullmq: OpenOnRedis = async ({ nodes, prefix }) => {
  const connections: Cluster[] = []
  const connect = (): Cluster => {
    const connection = new Cluster([...nodes], {
      redisOptions: { maxRetriesPerRequest: null },
      enableAutoPipelining: false,
    })
    connections.push(connection)
    return connection
  }
  const queues = prefixesOf(prefix, nodes.length).map((each) => ({
    flows: new FlowProducer({ connection: connect(), prefix: each }),
    worker: new Worker(queueName, async () => ({ ok: true }), {
      connection: connect(),
      prefix: each,
      concurrency,
    }),
  }))
  await Promise.all(queues.map(({ worker }) => worker.waitUntilReady()))
  return new Flows(queues, () => {
    for (const connection of connections) connection.disconnect()
  })
}

/** One for each master, whose slots are equal shares of all. */
function prefixesOf(prefix: string, masters: number): readonly string[] {
  const found = new Map<number, string>()
  for (let tries = 0; found.size < masters; tries += 1) {
    const tag = `${prefix}${tries}`
    const master = Math.floor((slotOf(tag) * masters) / slotCount)
    if (!found.has(master)) found.set(master, `{${tag}}`)
  }
  return [...found.values()]
}
