/**
 * What Sagasmith takes for granted about Electron, checked against whatever runs the specs: the stand-in
 * of test/double, or real Electron with ELECTRON=real. Where the two differ, the stand-in is wrong.
 */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import type { ContractGlobal, ContractLog, ContractWindow } from './fixture-app/contract-app.ts'
import { executableOf, exitCodeOf, launch, makeFolder } from './launch.ts'

const appFolder = join(import.meta.dirname, 'fixture-app')

let app: ElectronApplication
let page: Page
let folder: { readonly path: string; readonly remove: () => Promise<void> }

const log = (): Promise<ContractLog> =>
  app.evaluate(() => (globalThis as unknown as ContractGlobal).contractLog)
const steps = async (): Promise<readonly string[]> => (await log()).steps

test.beforeAll(async () => {
  folder = await makeFolder()
  app = await launch({ appFolder, userData: folder.path })
  page = await app.firstWindow()
  await expect(page.locator('#state')).toHaveText('ready')
})

test.afterAll(async () => {
  await app.close()
  await folder.remove()
})

/** Runs in the page with the fixture's own types. */
function inPage<T>(run: (window: ContractWindow) => T | Promise<T>): Promise<T> {
  return page.evaluate(`(${run.toString()})(window)`)
}

test.describe('start', () => {
  test('the app code runs before ready, and ready comes before the window', async () => {
    const { readyAtStart, steps } = await log()
    expect(readyAtStart).toBe(false)
    expect(steps[0]).toBe('ready')
    expect(steps).toContain('ready-to-show')
  })

  test('a window with show: false is shown after ready-to-show', async () => {
    await expect
      .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
      .toBe(true)
  })

  test('the app reads its name and version from package.json', async () => {
    const found = await app.evaluate(({ app }) => [app.getName(), app.getVersion(), app.isPackaged])
    expect(found).toEqual(['contract-app', '1.2.3', false])
  })

  test('--user-data-dir moves the user data', async () => {
    expect(await app.evaluate(({ app }) => app.getPath('userData'))).toBe(folder.path)
  })

  test('the main process says what it is', async () => {
    const found = await app.evaluate(() => ({
      type: process.type,
      major: process.versions.electron?.split('.')[0],
    }))
    expect(found).toEqual({ type: 'browser', major: '45' })
  })

  test('a Playwright page and its BrowserWindow find each other', async () => {
    const window = await app.browserWindow(page)
    const size = await window.evaluate((one) => [...one.getSize()])
    expect(size).toEqual([700, 500])
    expect(await window.evaluate((one) => one.getBackgroundColor())).toBe('#123456')
  })
})

test.describe('the app scheme', () => {
  test('the page comes from the protocol handler under the app’s own address', async () => {
    const url = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    )
    expect(url).toBe('app://contract/index.html')
  })

  test('a Content-Security-Policy header is enforced', async () => {
    expect(await page.evaluate(() => document.documentElement.dataset['inline'])).toBeUndefined()
  })

  test('the page is a secure context and may fetch from its own origin', async () => {
    const found = await page.evaluate(async () => {
      const answer = await fetch('echo', { method: 'POST', body: 'hello' })
      return [window.isSecureContext, answer.status, answer.headers.get('x-kind'), await answer.text()]
    })
    expect(found).toEqual([true, 201, 'POST', 'hello'])
  })

  test('a status of the handler reaches the page', async () => {
    expect(await page.evaluate(async () => (await fetch('nothing-here')).status)).toBe(404)
  })
})

test.describe('isolation', () => {
  test('the page sees the exposed object at its first line, and neither require nor process', async () => {
    expect(await inPage((window) => window.atStart)).toEqual({
      hasApi: 'object',
      hasRequire: 'undefined',
      hasProcess: 'undefined',
    })
  })

  test('a sandboxed preload cannot reach the disk', async () => {
    expect(await inPage((window) => window.contract.canReachDisk)).toBe(false)
  })

  test('the exposed object is frozen, deep, and cannot be replaced', async () => {
    const found = await page.evaluate(() => {
      const { contract } = window as unknown as ContractWindow
      const own = Object.getOwnPropertyDescriptor(window, 'contract')
      const [, inner] = contract.nested.list
      return [Object.isFrozen(contract), Object.isFrozen(inner), own?.writable, own?.configurable]
    })
    expect(found).toEqual([true, true, false, false])
  })

  test('functions cross the bridge in both directions, at once', async () => {
    expect(await inPage((window) => window.contract.twice((value) => value + 1))).toBe(6)
  })

  test('promises cross the bridge, resolved or rejected', async () => {
    expect(await inPage((window) => window.contract.later({ kept: [1, 2] }))).toEqual({ kept: [1, 2] })
    const message = await inPage((window) => window.contract.refuse().catch((error: Error) => error.message))
    expect(message).toContain('refused in preload')
  })
})

test.describe('requests', () => {
  test('invoke keeps what structured clone keeps', async () => {
    const found = await inPage(async ({ contract }) => {
      const sent = {
        when: new Date(5),
        map: new Map([['a', new Set([1])]]),
        bytes: new Uint8Array([1, 255]),
        none: undefined,
      }
      const back = (await contract.echo(sent)) as typeof sent
      return [back.when.getTime(), back.map.get('a')?.has(1), [...back.bytes], 'none' in back]
    })
    expect(found).toEqual([5, true, [1, 255], true])
  })

  test('four megabytes cross whole', async () => {
    const length = await inPage(async ({ contract }) => {
      const back = (await contract.echo('x'.repeat(4_000_000))) as string
      return back.length
    })
    expect(length).toBe(4_000_000)
  })

  test('a function cannot be sent', async () => {
    const message = await inPage(async ({ contract }) => {
      try {
        await contract.echo(() => 1)
        return 'sent'
      } catch (error) {
        return String(error)
      }
    })
    expect(message).toContain('could not be cloned')
  })

  test('a handler’s error arrives as a message that names the channel', async () => {
    const message = await inPage((window) => window.contract.fail().catch((error: Error) => error.message))
    expect(message).toBe("Error invoking remote method 'fail': TypeError: the handler failed")
  })

  test('a channel without a handler refuses', async () => {
    const message = await inPage((window) => window.contract.missing().catch((error: Error) => error.message))
    expect(message).toContain("No handler registered for 'missing'")
  })

  test('the sender is the top frame of a known window, under the app’s address', async () => {
    const windowId = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.id)
    const sender = await inPage((window) => window.contract.sender())
    expect(sender).toEqual({ url: 'app://contract/index.html', isTop: true, windowId })
  })

  test('messages go both ways in order', async () => {
    await inPage((window) => {
      for (const text of ['one', 'two', 'three']) window.contract.note(text)
    })
    await expect.poll(async () => (await log()).notes).toEqual(['one', 'two', 'three'])
    await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      contents?.send('message', 1, { a: 1 })
      contents?.send('message', 2)
    })
    await expect.poll(() => inPage((window) => window.heard)).toEqual([[1, { a: 1 }], [2]])
  })
})

test.describe('ports and the utility process', () => {
  test('the utility process runs as type utility and its stderr is piped', async () => {
    await expect
      .poll(async () => (await log()).engine)
      .toEqual(expect.arrayContaining(['spawn', 'engine says hello']))
    await app.evaluate(() => (globalThis as unknown as ContractGlobal).contractEngine.postMessage('who'))
    await expect.poll(async () => (await log()).engine).toContainEqual({ type: 'utility', hasElectron: true })
  })

  test('a port joins a page with the utility process', async () => {
    await inPage((window) => window.contract.askPort('engine'))
    await page.waitForFunction(() => 'port' in window)
    await inPage((window) => window.port.postMessage('ping'))
    await expect.poll(() => inPage((window) => window.portMessages)).toEqual(['engine heard ping'])
  })

  test('the end of the utility process closes the page’s port and is told with its exit code', async () => {
    await app.evaluate(() => (globalThis as unknown as ContractGlobal).contractEngine.postMessage('crash'))
    await expect.poll(() => inPage((window) => window.portMessages.at(-1))).toBe('closed')
    await expect.poll(async () => (await log()).engine).toContain('exit 7')
  })

  test('a utility process can be started again', async () => {
    await app.evaluate(() => (globalThis as unknown as ContractGlobal).startContractEngine())
    await expect.poll(async () => (await log()).engine.filter((entry) => entry === 'spawn')).toHaveLength(2)
  })

  test('a port joins a page with the main process and closes with the page', async () => {
    await inPage((window) => window.contract.askPort('main'))
    await expect.poll(() => inPage((window) => window.portMessages)).toEqual([])
    await inPage((window) => window.port.postMessage({ n: 1 }))
    await expect.poll(() => inPage((window) => window.portMessages)).toEqual([{ back: { n: 1 } }])
    await page.reload()
    await expect(page.locator('#state')).toHaveText('ready')
    await expect.poll(steps).toContain('port closed')
  })

  test('a reload runs the preload again', async () => {
    expect(await inPage((window) => window.atStart.hasApi)).toBe('object')
    expect(await inPage((window) => window.contract.echo('again'))).toBe('again')
  })
})

test.describe('guards', () => {
  test('a navigation to elsewhere can be prevented', async () => {
    await page.locator('#outside').click()
    await expect.poll(async () => (await log()).denied).toEqual(['https://example.com/outside'])
    expect(
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL()),
    ).toBe('app://contract/index.html')
    await expect(page.locator('#state')).toHaveText('ready')
  })

  test('a popup is denied and handed to the outside; no window appears', async () => {
    await app.evaluate(({ shell }) => {
      const { contractLog } = globalThis as unknown as ContractGlobal
      shell.openExternal = (url) => {
        contractLog.opened.push(url)
        return Promise.resolve()
      }
    })
    await page.locator('#popup').click()
    await expect.poll(async () => (await log()).opened).toEqual(['https://example.com/popup'])
    await expect.poll(() => app.windows().length).toBe(1)
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })
})

test.describe('the desk', () => {
  test('a menu item is found by id and its click runs', async () => {
    const found = await app.evaluate(({ Menu }) => {
      const menu = Menu.getApplicationMenu()
      const open = menu?.getMenuItemById('file.open')
      open?.click()
      return [
        open?.label,
        open?.accelerator,
        menu?.getMenuItemById('off')?.enabled,
        menu?.getMenuItemById('none') ?? null,
      ]
    })
    expect(found).toEqual(['Open', 'CmdOrCtrl+O', false, null])
    expect(await steps()).toContain('menu file.open')
  })

  test('a click flips a checkbox before the handler sees it', async () => {
    await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('view.check')?.click())
    expect(await steps()).toContain('check true')
  })

  test('a dialog can be replaced from outside', async () => {
    const paths = await app.evaluate(async ({ dialog }) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['/chosen'] })
      return (await dialog.showOpenDialog({})).filePaths
    })
    expect(paths).toEqual(['/chosen'])
  })

  test('the clipboard is asynchronous and keeps text', async () => {
    const text = await app.evaluate(async ({ clipboard }) => {
      await clipboard.writeText('kept')
      return clipboard.readText()
    })
    expect(text).toBe('kept')
  })

  test('safe storage encrypts and decrypts asynchronously', async () => {
    const found = await app.evaluate(async ({ safeStorage }) => {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return 'not available'
      const sealed = await safeStorage.encryptStringAsync('secret text')
      return [sealed.includes('secret text'), (await safeStorage.decryptStringAsync(sealed)).result]
    })
    expect(found).toEqual([false, 'secret text'])
  })

  test('the theme source decides what a page prefers', async () => {
    await app.evaluate(({ nativeTheme }) => {
      nativeTheme.themeSource = 'dark'
    })
    await expect
      .poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
      .toBe(true)
    expect(await app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true)
  })

  test('a window can be captured', async () => {
    const window = await app.browserWindow(page)
    const bytes = await window.evaluate(async (one) => (await one.capturePage()).toPNG().length)
    expect(bytes).toBeGreaterThan(500)
  })
})

test.describe('instances, windows and the end', () => {
  test('a second instance tells the first and ends', async () => {
    const executable = await executableOf(app)
    const args = ['--no-sandbox', appFolder, `--user-data-dir=${folder.path}`, 'from-second.json']
    const second = spawn(executable, args, { stdio: 'ignore' })
    const code = await new Promise((settle) => second.once('exit', settle))
    expect(code).toBe(0)
    await expect.poll(async () => (await log()).second.length).toBe(1)
    expect((await log()).second[0]).toEqual({ last: 'from-second.json', data: { from: 'contract' } })
  })

  test('a second window has its own page, and closing it leaves the app running', async () => {
    const opened = app.waitForEvent('window')
    await app.evaluate(() => void (globalThis as unknown as ContractGlobal).openContractWindow())
    const other = await opened
    await expect(other.locator('#state')).toHaveText('ready')
    await other.close()
    await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })

  test('localStorage outlives the app, and the last window’s close ends it in order', async () => {
    await page.evaluate(() => localStorage.setItem('kept', 'yes'))
    const printed: string[] = []
    app.process().stdout?.on('data', (chunk: Buffer) => printed.push(chunk.toString('utf8')))
    const exit = exitCodeOf(app)
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
    expect(await exit).toBe(0)
    const events = printed
      .join('')
      .split('\n')
      .filter((line) => line.startsWith('event '))
    expect(events).toEqual(['event window-all-closed', 'event before-quit', 'event will-quit', 'event quit'])

    app = await launch({ appFolder, userData: folder.path })
    page = await app.firstWindow()
    await expect(page.locator('#state')).toHaveText('ready')
    expect(await page.evaluate(() => localStorage.getItem('kept'))).toBe('yes')
  })
})
