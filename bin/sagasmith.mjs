#!/usr/bin/env node
/**
 * The one way into Sagasmith: makes sure of dependencies and of Node 24, then continues there.
 * Runs on Node 18 and newer with nothing but built-ins, since it is what installs everything else.
 */
import { cliArguments } from './launcher/cli.mjs'
import { ensureDependencies } from './launcher/dependencies.mjs'
import { ensureNode } from './launcher/node24.mjs'
import { endLike, nodeEnv, runThrough } from './launcher/run.mjs'
import { LauncherError, say } from './launcher/say.mjs'

/**
 * @param {string} node
 * @param {readonly string[]} args
 */
async function dispatch(node, args) {
  const [command, ...rest] = args
  switch (command) {
    case 'start':
      return (await import('./launcher/start.mjs')).start(node, rest)
    case 'check':
      return (await import('./launcher/check.mjs')).check(node)
    case 'test':
      return (await import('./launcher/test.mjs')).test(node)
    case 'parity':
      return (await import('./launcher/parity.mjs')).parity(node)
    case 'package':
      return (await import('./launcher/package.mjs')).packageApp(node, rest)
    case 'serve':
      return (await import('./launcher/start.mjs')).serve(node, rest)
    default:
      return runThrough(node, cliArguments(args), { env: nodeEnv() })
  }
}

try {
  await ensureDependencies()
  const node = await ensureNode()
  endLike(await dispatch(node, process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof LauncherError)) throw error
  say(error.message)
  say(`→ ${error.hint}`)
  process.exitCode = 1
}
