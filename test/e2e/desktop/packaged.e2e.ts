/**
 * The packaged app, as far as a machine without Electron's binary can tell: electron-builder packs onto a
 * made-up distribution, and the stand-in runs what it packed, and only that.
 */

import { execFile } from 'node:child_process'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { findingsOfPackage } from '../../../bin/launcher/check-package.mjs'
import { makeUpElectron } from '../../../bin/launcher/made-up-electron.mjs'
import type { DesktopApi } from '../../../src-engine/protocol/desktop-api.ts'
import { launch, makeFolder, projectRoot } from './launch.ts'

const run = promisify(execFile)

test('the packed files alone make an app with a working engine', async () => {
  const folder = await makeFolder()
  const distribution = join(folder.path, 'distribution')
  const release = join(folder.path, 'release')
  await makeUpElectron(distribution)
  const builder = join(projectRoot, 'node_modules/electron-builder/cli.js')
  const options = [`-c.electronDist=${distribution}`, `-c.directories.output=${release}`]
  await run(process.execPath, [builder, '--linux', 'dir', ...options], { cwd: projectRoot })

  const unpacked = join(release, 'linux-unpacked')
  // Node cannot read the archive itself, so the stand-in gets what is in it.
  const packed = join(unpacked, 'resources', 'app')
  expect(await findingsOfPackage(process.execPath, { unpacked, extracted: packed })).toEqual([])

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

test('what does not belong into a package, or is missing there, is named', async () => {
  const folder = await makeFolder()
  const unpacked = join(folder.path, 'unpacked')
  await makeUpElectron(unpacked)
  const native = join(unpacked, 'resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds')
  const app = join(folder.path, 'app')
  for (const path of [native, join(unpacked, 'resources/icons'), app]) await mkdir(path, { recursive: true })
  await writeFile(join(app, 'left-over.ts'), 'const source = 1')
  const asar = join(projectRoot, 'node_modules/@electron/asar/bin/asar.js')
  await run(process.execPath, [asar, 'pack', app, join(unpacked, 'resources/app.asar')])
  await rename(join(unpacked, 'electron'), join(unpacked, 'sagasmith'))
  const found = await findingsOfPackage(process.execPath, {
    unpacked,
    extracted: join(folder.path, 'extracted'),
  })
  const text = found.join('\n')
  for (const named of [
    'fr.pak',
    'prebuilds',
    'icons',
    'EnableCookieEncryption',
    'left-over.ts',
    'could not run a sample',
  ])
    expect(text).toContain(named)
  await folder.remove()
})
