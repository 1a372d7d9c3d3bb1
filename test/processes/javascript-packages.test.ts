/** Packages of npm in the sandbox: which a step may import, how they are found, and that they have no more rights than it. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineWorkflow } from '../../src-engine/index.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { defaultEngineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { createSagasmith } from '../../src-engine/sdk/sagasmith.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { openInProcess } from '../../src-engine/shell/in-memory.ts'
import { rehearseWorkflow } from '../../src-engine/shell/rehearsal.ts'
import { allowedPackages, packageAbilities } from '../../src-engine/shell/script-packages.ts'
import { createJavaScriptRun } from '../../src-engine/tasks/javascript/run.ts'
import type { SandboxHost } from '../../src-engine/tasks/javascript/sandbox-host.ts'
import { createNodeSandboxHost } from '../../src-engine/tasks/javascript/sandbox-host.ts'
import { javaScriptSpec } from '../../src-engine/tasks/javascript/spec.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { outputOf, taskContext, thrownBy } from '../support/task-context.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-packages-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Installs what `npm install` would; `package.json` gets its version. */
async function install(
  name: string,
  files: Readonly<Record<string, string>>,
  manifest: object = {},
): Promise<void> {
  const place = join(folder, 'node_modules', name)
  const about = JSON.stringify({ name, version: '1.2.3', ...manifest })
  for (const [path, text] of Object.entries({ ...files, 'package.json': about })) {
    await mkdir(dirname(join(place, path)), { recursive: true })
    await writeFile(join(place, path), text)
  }
}

interface Asked {
  readonly packages?: readonly string[]
  readonly allowed?: readonly string[]
  readonly from?: string
  readonly raw?: object
  /** For code that must be ended, or wants more than its rights: this process is for what ends by itself. */
  readonly sandbox?: SandboxHost
}

async function run(code: string, asked: Asked = {}): Promise<JsonValue> {
  const {
    packages = ['a@1.2.3'],
    allowed = packages.map((one) => one.replace(/@[^@]*$/, '')),
    from = folder,
  } = asked
  const task = createJavaScriptRun({
    sandbox: asked.sandbox ?? sandboxHere,
    packages: { allowed, folder: from },
  })
  const parameters = javaScriptSpec.parameters.parse({ code, packages, timeoutMs: 60_000, ...asked.raw })
  return outputOf(await task.execute(parameters, taskContext()))
}

describe('a step imports', () => {
  test('an ES module with what it imports, also of its own and of others beside it', async () => {
    await install(
      'a',
      {
        'lib/index.js':
          "import { b } from 'b'\nimport x from './x.mjs'\nimport own from '#own'\nexport const sum = (n) => n + b + x + own\nexport default 'a'",
        'lib/x.mjs': 'export default 10',
        'lib/own.js': 'export default 1000',
      },
      { type: 'module', exports: { '.': './lib/index.js' }, imports: { '#own': './lib/own.js' } },
    )
    await install('b', { 'index.mjs': 'export const b = 100' }, { main: 'index.cjs', module: 'index.mjs' })
    const code =
      'import a, { sum as plus } from \'a\'\nimport * as all from "a";\nreturn [a, plus(1), Object.keys(all)]'
    expect(await run(code)).toEqual(['a', 1111, ['default', 'sum']])
    expect(await run("const { sum } = await import('a'); return sum(2)")).toBe(1112)
  })

  test('CommonJS, whose files load each other when they are asked for, in circles, too', async () => {
    await install('a', {
      'index.js':
        "exports.name = 'a'; const other = require('./other'); exports.twice = (n) => other.times(n, 2); exports.data = require('./data.json'); exports.delete = () => 'gone'; exports.mode = process.env.NODE_ENV",
      'other/index.js': "const a = require('..'); exports.times = (n, m) => a.name + n * m",
      'data.json': '{"x":[1]}',
    })
    const code =
      "import all, { twice, data, delete as remove } from 'a'\nreturn [twice(4), data, remove(), all.mode]"
    expect(await run(code)).toEqual(['a8', { x: [1] }, 'gone', 'production'])
    expect(await run("const { twice } = await import('a'); return twice(1)")).toBe('a2')
  })

  test('by the conditions of its exports, and nothing that they don’t name', async () => {
    const manifest = {
      exports: {
        '.': { node: './node.js', require: './require.cjs', import: { browser: './browser.mjs' } },
        './parts/*.js': './lib/*.mjs',
        './closed/*': null,
      },
    }
    await install(
      '@s/a',
      {
        'node.js': 'throw 1',
        'browser.mjs': 'export default 1',
        'lib/two.mjs': 'export default 2',
        'lib/closed.mjs': '',
      },
      manifest,
    )
    const packages = ['@s/a@1.2.3']
    expect(
      await run("import one from '@s/a'; import two from '@s/a/parts/two.js'\nreturn [one, two]", {
        packages,
      }),
    ).toEqual([1, 2])
    for (const path of ['lib/two.mjs', 'closed/x', 'parts/none.js'])
      expect(await thrownBy(() => run(`import '@s/a/${path}'`, { packages }))).toMatchObject({
        code: 'script_failed',
        message: expect.stringContaining(`@s/a/${path}`),
      })
  })

  test('in TypeScript, each line where it was', async () => {
    await install(
      'a',
      { 'index.mjs': 'export const n = 1; export const fail = () => { throw new Error("no") }' },
      { main: 'index.mjs' },
    )
    const raw = { language: 'typescript' }
    const head = "// first\nimport type { T } from 'nothing'\nimport {\n  n,\n  fail,\n} from 'a'\n"
    expect(await run(`${head}const x: number = n\nreturn x`, { raw })).toBe(1)
    expect(await thrownBy(() => run(`${head}\n  null!.x`, { raw }))).toMatchObject({ details: { line: 8 } })
    expect(await thrownBy(() => run(`${head}fail()`))).toMatchObject({
      message: expect.stringMatching(/SyntaxError/),
    })
    expect(await thrownBy(() => run("import { fail } from 'a'\n\nfail()"))).toMatchObject({
      message: 'Line 3: no',
    })
  })

  test('packages that people use: immer and lodash, as they are', async () => {
    const from = resolve(import.meta.dirname, '../..')
    const manifestOf = async (name: string) =>
      (await import(`${from}/node_modules/${name}/package.json`, { with: { type: 'json' } })).default.version
    const packages = [`immer@${await manifestOf('immer')}`, `lodash@${await manifestOf('lodash')}`]
    const code = `import { produce } from 'immer'
import { chunk, sumBy } from 'lodash'
import camel from 'lodash/camelCase'
return [produce({ a: 1 }, (draft) => { draft.b = 2 }), chunk([1, 2, 3], 2), sumBy([{ n: 1 }, { n: 2 }], 'n'), camel('to be')]`
    expect(await run(code, { packages, from })).toEqual([{ a: 1, b: 2 }, [[1, 2], [3]], 3, 'toBe'])
  })
})

describe('a step imports nothing', () => {
  test('that its runner doesn’t allow: none, unless its settings name them', async () => {
    await install('a', { 'index.js': '' })
    expect(await thrownBy(() => run('return 1', { allowed: [] }))).toMatchObject({
      code: 'package_not_available',
      message: expect.stringMatching(/“a”: it allows none/),
      hint: expect.stringMatching(/script_packages/),
    })
    expect(allowedPackages(defaultEngineSettings, '/data')).toEqual({ allowed: [], folder: '/data' })
  })

  test('that isn’t installed, or in another version than the step says', async () => {
    expect(await thrownBy(() => run('return 1'))).toMatchObject({
      code: 'package_not_available',
      message: expect.stringMatching(/“a” is not installed/),
      hint: expect.stringMatching(/npm install .*a@1\.2\.3/),
    })
    await install('a', {}, { version: '1.2.4' })
    expect(await thrownBy(() => run('return 1'))).toMatchObject({
      code: 'package_not_available',
      message: expect.stringMatching(/“a” in version 1\.2\.3, and 1\.2\.4 is installed/),
    })
  })

  test('that it doesn’t name, though its runner allows it', async () => {
    await install('a', { 'index.mjs': "import 'b'" }, { main: 'index.mjs' })
    await install('b', { 'index.mjs': '' }, { main: 'index.mjs' })
    const allowed = ['a', 'b']
    for (const code of ["import 'b'", "await import('b')"])
      expect(await thrownBy(() => run(code, { allowed }))).toMatchObject({
        code: 'script_failed',
        message: expect.stringMatching(
          /“b”, which is not among the packages of the step: they are a@1\.2\.3/,
        ),
      })
    expect(await run("import 'a'\nreturn 1", { allowed })).toBe(1)
    expect(await thrownBy(() => run("await import('b')", { packages: [] }))).toMatchObject({
      message: expect.stringMatching(/it has none/),
    })
  })

  test.for(['a', 'a@^1.2.3', 'a@latest', '../a@1.2.3', 'a/b@1.2.3', '@s@1.2.3'])(
    'and a package is a name with one version: %s is none',
    (wanted) => {
      expect(javaScriptSpec.parameters.safeParse({ code: '1', packages: [wanted] }).success).toBe(false)
    },
  )

  test('of Node.js: a package that needs it says so', async () => {
    await install(
      'a',
      { 'index.mjs': "import { readFileSync } from 'node:fs'", 'index.cjs': "require('fs')" },
      { exports: { '.': './index.mjs', './c': './index.cjs' } },
    )
    for (const path of ['a', 'a/c'])
      expect(await thrownBy(() => run(`import '${path}'`))).toMatchObject({
        code: 'script_failed',
        message: expect.stringMatching(/fs”, (a module of Node\.js, )?which the sandbox doesn’t have/),
      })
  })

  test('from outside of its folder, whatever links and paths say', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'sagasmith-outside-'))
    await writeFile(join(outside, 'key.json'), '"s3cret"')
    await install(
      'a',
      {
        'index.js':
          "exports.all = ['./link.json', '../../../up.json', './way'].map((path) => { try { return require(path) } catch { return null } }); require('./link.json'); require('../../../up.json'); require('./way')",
      },
      { exports: { '.': './index.js', './k': '../../../key.json' } },
    )
    await symlink(join(outside, 'key.json'), join(folder, 'node_modules/a/link.json'))
    await symlink(join(outside, 'key.json'), join(folder, 'node_modules/a/way.json'))
    await writeFile(join(dirname(folder), 'up.json'), '"s3cret"')
    try {
      for (const code of ["import { all } from 'a'\nreturn all", "import k from 'a/k'\nreturn k"])
        expect(JSON.stringify(await thrownBy(() => run(code)))).not.toContain('s3cret')
    } finally {
      await rm(join(dirname(folder), 'up.json'))
      await rm(outside, { recursive: true })
    }
  })

  test('that is larger than the sandbox takes', async () => {
    await install('a', { 'index.js': `/*${'x'.repeat(5_000_000)}*/` })
    expect(await thrownBy(() => run("import 'a'"))).toMatchObject({ code: 'package_too_large' })
    // What the code doesn't lead to doesn't count.
    expect(await run('return 1')).toBe(1)
  })
})

test('a package has the rights of the code that imports it, and its limits', async () => {
  const reach = "const has = (name) => (0, eval)('typeof ' + name) !== 'undefined'\n"
  const names =
    "['process', 'require', 'fetch', 'Buffer', 'setTimeout', 'XMLHttpRequest', '__ctx', '__log', '__listens'].filter(has)"
  await install(
    'a',
    {
      'index.cjs': `${reach}exports.found = ${names}; exports.global = typeof global.process; exports.spin = () => { for (;;); }`,
      'index.mjs': `${reach}export const found = ${names}; export const fill = () => { const all = []; for (;;) all.push(new Array(1e5).fill(1)) }`,
    },
    { exports: { '.': './index.mjs', './c': './index.cjs' } },
  )
  const sandbox = createNodeSandboxHost()
  expect(
    await run("import { found } from 'a'\nimport c from 'a/c'\nreturn [found, c.found, c.global]", {
      sandbox,
    }),
  ).toEqual([[], [], 'undefined'])
  const tight = { sandbox, raw: { timeoutMs: 200 } }
  expect(await thrownBy(() => run("import { spin } from 'a/c'\nspin()", tight))).toMatchObject({
    ...{ code: 'script_limit', details: { limit: 'time' } },
  })
  expect(await thrownBy(() => run("import { fill } from 'a'\nfill()", { sandbox }))).toMatchObject({
    ...{ code: 'script_limit', details: { limit: 'memory' } },
  })
})

test('a runner says which packages it allows and has, for steps that require one', async () => {
  await install('a', {})
  await install('@s/b', {}, { version: '2.0.0-rc.1' })
  const allowed = ['a', '@s/b', 'missing']
  expect(await packageAbilities({ allowed, folder })).toEqual(['npm:a@1.2.3', 'npm:@s/b@2.0.0-rc.1'])
  expect(await packageAbilities({ allowed: [], folder })).toEqual([])
})

test('they are looked for in the folder that the settings name, else in the data directory', () => {
  const named = { scriptPackages: ['a'], scriptPackagesFolder: '/srv/node' }
  expect(allowedPackages(named, '/data')).toEqual({ allowed: ['a'], folder: '/srv/node' })
  expect(allowedPackages({ ...named, scriptPackagesFolder: '' }, '/data')).toEqual({
    allowed: ['a'],
    folder: '/data',
  })
})

test('a run imports what the setting allows, on a runner that has it, and so does its rehearsal', async () => {
  await install('a', { 'index.js': 'exports.n = 7' })
  const drawn = (requires: readonly string[]) =>
    defineWorkflow({
      id: 'packages',
      nodes: {
        code: {
          kind: 'javascript',
          ...(requires.length === 0 ? {} : { route: { requires } }),
          parameters: { code: "import { n } from 'a'\nreturn n", packages: ['a@1.2.3'] },
        },
      },
      edges: [],
    })
  const settings = loadSettings({ flags: { script_packages: 'a' }, environment: {} })
  const { engine, close } = await openInProcess({ folder, mocking: null, settings })
  const sagasmith = createSagasmith(engine, close)
  try {
    // Nobody who doesn't say that it has it would take it up.
    const run = await sagasmith.run(drawn(['npm:a@1.2.3']), null, { baseDirectory: folder })
    expect(await run.result()).toMatchObject({ status: 'SUCCEEDED', output: 7 })
  } finally {
    await sagasmith.close()
  }
  const order = { document: drawn([]), input: null, mocks: null, baseDirectory: folder }
  const packages = allowedPackages(settings.engine, folder)
  expect(await rehearseWorkflow({ ...order, packages })).toMatchObject({ calm: { status: 'SUCCEEDED' } })
  expect(await rehearseWorkflow(order)).toMatchObject({ calm: { status: 'FAILED' } })
})
