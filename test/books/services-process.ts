/** The three services as one process that a campaign starts and ends. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface ServicesPlan {
  readonly seed: string
  /** Of all requests, 0 to 1: how many meet a fault. */
  readonly faults: number
  /** How long a slow answer takes at most, in ms. */
  readonly slowMs: number
  /** A planted fault: each request is taken as a new one. */
  readonly ignoresKeys?: boolean
}

export interface RunningServices {
  /** Of orders, payments and stock. */
  readonly addresses: readonly string[]
  readonly files: readonly { readonly name: string; readonly path: string }[]
  readonly stop: () => Promise<void>
}

const names = ['orders', 'payments', 'stock'] as const
const program = join(import.meta.dirname, 'services.ts')

/** Starts them with books in that directory, at ports that are free. */
export async function startServices(plan: ServicesPlan, directory: string): Promise<RunningServices> {
  const args = ['--directory', directory, '--ports', '0,0,0', '--seed', plan.seed]
  const faults = ['--faults', String(plan.faults), '--slow-ms', String(plan.slowMs)]
  const planted = plan.ignoresKeys === true ? ['--ignore-keys'] : []
  const child = spawn(process.execPath, [program, ...args, ...faults, ...planted], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  const byName = new Map<string, string>()
  for await (const line of createInterface({ input: child.stdout })) {
    const { service, address } = JSON.parse(line) as { readonly service: string; readonly address: string }
    byName.set(service, address)
    if (byName.size === names.length) break
  }
  const addresses = names.map((name) => byName.get(name) ?? '')
  const files = names.map((name) => ({ name, path: join(directory, `${name}.sqlite`) }))
  if (!addresses.includes('')) return { addresses, files, stop }
  await stop()
  throw new Error('the services did not start')
}
