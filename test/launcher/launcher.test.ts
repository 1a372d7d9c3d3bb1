/** The launcher as a person meets it: real processes in a checkout in miniature. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nodeFlags } from '../../bin/launcher/cli.mjs'
import type { Checkout } from './checkout.ts'
import { makeCheckout, newerLock } from './checkout.ts'

let checkout: Checkout

beforeEach(() => {
  checkout = makeCheckout()
})

afterEach(() => checkout.remove())

describe('any command', () => {
  test('goes to the command line with its arguments, and stdout is only what it prints', async () => {
    const ending = await checkout.launch(['run', 'a.json', '--json']).ended
    expect(ending).toMatchObject({ code: 0, stdout: 'run a.json --json\n', stderr: '' })
  })

  test('has the room for new objects that a start takes', async () => {
    checkout.write('src-engine/shell/cli.ts', 'console.log(process.execArgv.join(" "))')
    const { code, stdout } = await checkout.launch(['version']).ended
    expect(code).toBe(0)
    expect(stdout.trim()).toBe(nodeFlags.join(' '))
    expect(nodeFlags).toContain('--min-semi-space-size=4')
  })

  test('ends with the exit code of the command line', async () => {
    checkout.write('src-engine/shell/cli.ts', 'process.exit(7)')
    expect(await checkout.launch(['run']).ended).toMatchObject({ code: 7, stderr: '' })
  })

  test('hands stdin to the command line', async () => {
    checkout.write('src-engine/shell/cli.ts', 'process.stdin.pipe(process.stdout)')
    const running = checkout.launch(['run'])
    running.say('{"orders":[]}')
    expect((await running.ended).stdout).toBe('{"orders":[]}')
  })

  test.for(['SIGTERM', 'SIGINT'] as const)(
    'passes %s on and lets the command end in its own way',
    async (signal) => {
      checkout.write(
        'src-engine/shell/cli.ts',
        `process.on('${signal}', () => { console.log('leaving'); process.exit(3) })
       setInterval(() => {}, 1000); console.log('ready')`,
      )
      const running = checkout.launch(['serve-like'])
      await running.printed('ready')
      running.kill(signal)
      expect(await running.ended).toMatchObject({ code: 3, stdout: 'ready\nleaving\n' })
    },
  )

  test('ends by the signal that ended the command', async () => {
    checkout.write('src-engine/shell/cli.ts', `process.kill(process.pid, 'SIGKILL')`)
    expect(await checkout.launch(['run']).ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  })
})

describe('dependencies', () => {
  test('npm is not called while the installed tree is what the lock names', async () => {
    await checkout.launch(['a']).ended
    await checkout.launch(['b']).ended
    expect(checkout.read('npm-calls')).toBeNull()
  })

  test('a changed lock is installed once, told on stderr only', async () => {
    checkout.write('package-lock.json', newerLock)
    const first = await checkout.launch(['a']).ended
    const second = await checkout.launch(['b']).ended
    expect(first).toMatchObject({
      code: 0,
      stdout: 'a\n',
      stderr: expect.stringContaining('installing dependencies'),
    })
    expect(second).toMatchObject({ code: 0, stdout: 'b\n', stderr: '' })
    expect(checkout.read('npm-calls')?.match(/^ci .*--ignore-scripts/gm)).toHaveLength(1)
  })

  test('two launchers at the same time install once', async () => {
    checkout.write('package-lock.json', newerLock)
    const endings = await Promise.all([checkout.launch(['a']).ended, checkout.launch(['b']).ended])
    expect(endings.map(({ code }) => code)).toEqual([0, 0])
    expect(checkout.read('npm-calls')?.trim().split('\n')).toHaveLength(1)
  })

  test('the lock of a launcher that died is broken', async () => {
    checkout.write('package-lock.json', newerLock)
    checkout.write('.cache/install.lock/pid', '999999999')
    expect(await checkout.launch(['a']).ended).toMatchObject({ code: 0, stdout: 'a\n' })
  })

  test('a failing npm is told with its own words and a way on, without a stack trace', async () => {
    checkout.write('package-lock.json', newerLock)
    checkout.write('npm-breaks', '')
    const { code, stdout, stderr } = await checkout.launch(['a']).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('the line is cut')
    expect(stderr).toContain('→ check the network')
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})

describe('start', () => {
  const serve = `
    setInterval(() => {}, 1000)
    process.on('SIGTERM', () => process.exit(0))
    console.log('Sagasmith on http://127.0.0.1:4321/#t=secret')
  `

  test('without a display it says why, serves, and leaves the URL to the person', async () => {
    checkout.write('src-engine/shell/cli.ts', serve)
    const running = checkout.launch(['start'])
    await running.printed('#t=secret')
    running.kill('SIGTERM')
    const { code, stderr } = await running.ended
    expect(code).toBe(0)
    expect(stderr).toContain('there is no display')
    expect(stderr).toContain('open the URL above in a browser')
  })

  test('with a display and Chromium it opens the served URL in an app window of its own', async () => {
    checkout.write('src-engine/shell/cli.ts', serve)
    // The browser of the test shows the page by ending the server.
    checkout.write('chromium', `#!/bin/sh\nprintf '%s\\n' "$@" > '${checkout.path('shown')}'\nkill $PPID\n`)
    const running = checkout.launch(['start', '--web'], {
      DISPLAY: ':0',
      SAGASMITH_CHROMIUM: checkout.path('chromium'),
    })
    expect((await running.ended).code).toBe(0)
    const shown = checkout.read('shown')?.split('\n') ?? []
    expect(shown).toContain('--app=http://127.0.0.1:4321/#t=secret')
    expect(shown).toContain(`--user-data-dir=${checkout.path('.cache/chromium')}`)
  })

  test('an Electron that is there is started on the checkout', async () => {
    checkout.write('electron', `#!/bin/sh\nprintf '%s\\n' "$@" > '${checkout.path('started')}'\n`)
    const env = { DISPLAY: ':0', ELECTRON_EXEC_PATH: checkout.path('electron') }
    expect(await checkout.launch(['start', '--inspect-me'], env).ended).toMatchObject({ code: 0, stderr: '' })
    const started = checkout.read('started')?.trim().split('\n') ?? []
    expect(started[0]).toBe(checkout.path('').replace(/\/$/, ''))
    expect(started).toContain('--inspect-me')
  })

  test('an Electron that cannot start gives way to the browser, with the reason', async () => {
    checkout.write('src-engine/shell/cli.ts', serve)
    checkout.write('electron', '#!/bin/sh\nexit 127\n')
    checkout.write('chromium', '#!/bin/sh\nkill $PPID\n')
    const running = checkout.launch(['start'], {
      DISPLAY: ':0',
      ELECTRON_EXEC_PATH: checkout.path('electron'),
      SAGASMITH_CHROMIUM: checkout.path('chromium'),
    })
    const { code, stderr } = await running.ended
    expect(code).toBe(0)
    expect(stderr).toContain('Electron ended at once with exit code 127')
  })
})
