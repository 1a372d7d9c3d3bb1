/**
 * The packaged app, as far as a machine without Electron's binary can tell: electron-builder packs onto a
 * made-up distribution, and the stand-in runs what it packed, and only that.
 */

import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import type { DesktopApi } from '../../../src-engine/protocol/desktop-api.ts'
import { launch, makeFolder, projectRoot } from './launch.ts'

const run = promisify(execFile)

/** By this text the tools find the fuses in Electron's binary: version 1, nine of them, all off. */
const fuseWire = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009000000000'

/** A folder with what electron-builder expects of a distribution; nothing in it can run. */
async function makeDistribution(folder: string): Promise<void> {
  await mkdir(join(folder, 'locales'), { recursive: true })
  await mkdir(join(folder, 'resources'))
  const names = ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'version']
  const locales = ['en-US', 'de', 'fr'].map((name) => join('locales', `${name}.pak`))
  for (const name of [...names, ...locales]) await writeFile(join(folder, name), 'made up')
  await writeFile(join(folder, 'electron'), fuseWire, 'latin1')
  await chmod(join(folder, 'electron'), 0o755)
}

test('the packed files alone make an app with a working engine', async () => {
  const folder = await makeFolder()
  const distribution = join(folder.path, 'distribution')
  const release = join(folder.path, 'release')
  await makeDistribution(distribution)
  const builder = join(projectRoot, 'node_modules/electron-builder/cli.js')
  const options = [`-c.electronDist=${distribution}`, `-c.directories.output=${release}`]
  await run(process.execPath, [builder, '--linux', 'dir', ...options], { cwd: projectRoot })

  const unpacked = join(release, 'linux-unpacked')
  const resources = join(unpacked, 'resources')
  expect(await readdir(join(unpacked, 'locales'))).toEqual(['de.pak', 'en-US.pak'])
  expect(await readdir(join(resources, 'app.asar.unpacked/node_modules/better-sqlite3/prebuilds'))).toEqual([
    `linux-${process.arch}.node`,
  ])

  // Node cannot read the archive itself, so the stand-in gets what is in it.
  const packed = join(resources, 'app')
  const asar = join(projectRoot, 'node_modules/@electron/asar/bin/asar.js')
  await run(process.execPath, [asar, 'extract', join(resources, 'app.asar'), packed])
  expect(await readdir(packed)).toEqual(['node_modules', 'out', 'package.json'])
  expect((await readdir(packed, { recursive: true })).filter((name) => /\.(map|ts|cpp)$/.test(name))).toEqual(
    [],
  )

  const app = await launch({ appFolder: packed, userData: folder.path, isPackaged: true })
  const page = await app.firstWindow()
  await page.waitForFunction(() => 'sagasmithDesktop' in window)
  expect(await app.evaluate(({ app }) => [app.isPackaged, app.getName()])).toEqual([true, 'Sagasmith'])
  const state = () =>
    page.evaluate(() =>
      (window as unknown as { sagasmithDesktop: DesktopApi }).sagasmithDesktop.engineState(),
    )
  await expect.poll(state).toEqual({ ok: true, value: { status: 'running' } })
  await app.close()
  await folder.remove()
})
