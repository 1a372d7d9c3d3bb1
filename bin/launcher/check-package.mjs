/** Looks into a packed app (Linux layout): only what belongs there, all of it, with its fuses set, and it works. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { at } from './paths.mjs'
import { runCaptured, toolEnv } from './run.mjs'

/** What no package may hold: sources, maps, and what compilers leave. */
const strayPattern = /\.(map|ts|tsx|cpp|o|tsbuildinfo)$/
/** Fuses by their names in `electron-fuses read`, and how they have to be. */
const fuses = {
  RunAsNode: 'Disabled',
  EnableCookieEncryption: 'Enabled',
  EnableNodeOptionsEnvironmentVariable: 'Disabled',
  EnableNodeCliInspectArguments: 'Disabled',
  EnableEmbeddedAsarIntegrityValidation: 'Enabled',
  OnlyLoadAppFromAsar: 'Enabled',
  GrantFileProtocolExtraPrivileges: 'Disabled',
}

/**
 * What is wrong with it, in words; nothing for a good one. The archive is also unpacked into `extracted`, which
 * is left there: Node can't read it as it is.
 * @param {string} node
 * @param {{ unpacked: string, extracted: string }} place
 * @returns {Promise<string[]>}
 */
export async function findingsOfPackage(node, { unpacked, extracted }) {
  const resources = join(unpacked, 'resources')
  const found = []
  const expectNames = async (/** @type {string} */ folder, /** @type {readonly string[]} */ wanted) => {
    const names = (await readdir(folder)).sort()
    if (names.join() !== wanted.join())
      found.push(`${folder} holds ${names.join(', ')}; wanted: ${wanted.join(', ')}`)
  }
  await expectNames(join(unpacked, 'locales'), ['de.pak', 'en-US.pak'])
  const native = 'app.asar.unpacked/node_modules/better-sqlite3/prebuilds'
  await expectNames(join(resources, native), [`linux-${process.arch}.node`])
  await expectNames(join(resources, 'icons'), [
    'tray-template.png',
    'tray-template@2x.png',
    'tray.png',
    'tray@2x.png',
  ])
  const run = (/** @type {string} */ tool, /** @type {readonly string[]} */ args) =>
    runCaptured(node, [tool, ...args], { env: { ...toolEnv(node), FORCE_COLOR: '0' } })

  const fuseText = await run(at('node_modules/@electron/fuses/dist/bin.js'), [
    'read',
    '--app',
    join(unpacked, 'sagasmith'),
  ])
  for (const [name, wanted] of Object.entries(fuses)) {
    if (!fuseText.text.includes(`${name} is ${wanted}`)) found.push(`the fuse ${name} is not ${wanted}`)
  }

  await rm(extracted, { recursive: true, force: true })
  const asar = at('node_modules/@electron/asar/bin/asar.js')
  await run(asar, ['extract', join(resources, 'app.asar'), extracted])
  await expectNames(extracted, ['node_modules', 'out', 'package.json'])
  const stray = (await readdir(extracted, { recursive: true })).filter((name) => strayPattern.test(name))
  if (stray.length > 0) found.push(`it holds ${stray.slice(0, 5).join(', ')}`)

  // The packed files alone, with a real store: nothing that the bundle needs was left out.
  const data = join(extracted, '..', 'data')
  const sample = join(resources, 'samples', 'log-summary.json')
  const ran = await run(join(extracted, 'out/main/cli.js'), ['run', sample, '--data', data])
  if (ran.code !== 0) found.push(`its command line could not run a sample:\n${ran.text}`)
  await rm(data, { recursive: true, force: true })
  return found
}
