/** A nest with a network in which nothing happens. */

import { buildNetwork } from './private-network.ts'

process.stdin.on('end', () => process.exit(1)).resume()
const { hosts } = await buildNetwork({ servers: 1, runners: 2 })
process.stdout.write(`${hosts.join(' ')}\n`)
