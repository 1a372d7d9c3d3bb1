/** `npm run check`: everything that finds a mistake in under a minute. */
import { spawnSync } from 'node:child_process'
import { cliEntry } from './cli.mjs'
import { at } from './paths.mjs'
import { runCaptured, toolEnv } from './run.mjs'
import { runTwoAtATime, summarize } from './stages.mjs'
import { runVitest } from './vitest.mjs'

const lintedFolders = ['src-engine', 'src-main', 'src-renderer', 'test', 'bench', 'bin']

/**
 * Binaries that npm lists by a shell shim are called by their script, so that the chosen Node runs them.
 * @param {string} node
 * @param {string} name
 * @param {string} script below node_modules
 * @param {readonly string[]} args
 */
const tool = (node, name, script, args) => ({
  name,
  run: () => runCaptured(node, [at('node_modules', script), ...args], { env: toolEnv(node) }),
})

/**
 * The checks that need no test runner, slowest first.
 * @param {string} node
 */
export function runStaticChecks(node) {
  return runTwoAtATime([
    tool(node, 'types (tsc)', 'typescript/bin/tsc', ['-b']),
    tool(node, 'lint (oxlint)', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', ...lintedFolders]),
    tool(node, 'dead code (knip)', 'knip/bin/knip.js', ['--no-progress']),
    tool(node, 'format (biome)', '@biomejs/biome/bin/biome', ['ci', '--colors=off', ...biomeScope()]),
    {
      name: 'generated files',
      run: () => runCaptured(node, [cliEntry(), 'status', 'render', '--check'], { env: toolEnv(node) }),
    },
  ])
}

/** Biome finds its own files through git; without git it is given the folders. */
function biomeScope() {
  const { status } = spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: at(), stdio: 'ignore' })
  return status === 0 ? [] : lintedFolders
}

/**
 * @param {string} node
 */
export async function check(node) {
  const results = await runStaticChecks(node)
  results.push(await runVitest(node, ['unit', 'conformance']))
  return summarize(results)
}
