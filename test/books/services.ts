/**
 * The three services, each in a process of its own with a book of its own: `node test/books/services.ts`. They
 * listen at the ports that the sample “An order through three services” calls, and end with Ctrl-C.
 * `--faults 0.3` has three of ten requests go wrong.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandomSource } from '../support/random-source.ts'
import { openBook } from './book.ts'
import { orderService } from './order-service.ts'
import { paymentService } from './payment-service.ts'
import { serve } from './service.ts'
import { stockService } from './stock-service.ts'

const specs = [orderService, paymentService, stockService]

const { values } = parseArgs({
  options: {
    directory: { type: 'string', default: 'books' },
    faults: { type: 'string', default: '0' },
    'slow-ms': { type: 'string', default: '4000' },
    seed: { type: 'string', default: 'books' },
    ports: { type: 'string', default: '4701,4702,4703' },
    'ignore-keys': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})

mkdirSync(values.directory, { recursive: true })
const ports = values.ports.split(',').map(Number)
if (values.only === undefined) startAll()
else await startOne(values.only)

/** A process for each; they end together. */
function startAll(): void {
  const children: ChildProcess[] = specs.map(({ name }) =>
    spawn(process.execPath, [import.meta.filename, '--only', name, ...process.argv.slice(2)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
  const end = (): void => {
    for (const child of children) child.kill()
  }
  for (const child of children) child.once('exit', end)
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
}

async function startOne(name: string): Promise<void> {
  const index = specs.findIndex((spec) => spec.name === name)
  const spec = specs[index]
  if (spec === undefined) throw new Error(`there is no service ${name}`)
  const book = openBook(join(values.directory, `${name}.sqlite`), { ignoresKeys: values['ignore-keys'] })
  const { port } = await serve(
    spec,
    { book, port: ports[index] ?? 0 },
    {
      share: Number(values.faults),
      slowMsMax: Number(values['slow-ms']),
      random: createRandomSource(`${values.seed} ${name}`),
    },
  )
  process.stdout.write(`${JSON.stringify({ service: name, address: `http://127.0.0.1:${port}` })}\n`)
  process.once('SIGTERM', () => {
    book.close()
    process.exit(0)
  })
}
