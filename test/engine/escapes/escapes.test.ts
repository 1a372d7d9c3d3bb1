/** Ways out of the two places where a workflow's own code runs; and that the check would see one that is open. */

import jsonata from 'jsonata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { runGuest } from '../../../src-engine/tasks/javascript/guest.ts'
import { newLimitedQuickJs } from '../../../src-engine/tasks/javascript/limited-quickjs.ts'
import type { PackageGraph } from '../../../src-engine/tasks/javascript/packages/package-graph.ts'
import type { SandboxMessage } from '../../../src-engine/tasks/javascript/sandbox-message.ts'
import { keepQuickJs } from '../../support/kept-quickjs.ts'
import { expressionPayloads } from './expression-payloads.ts'
import { scriptPayloads } from './script-payloads.ts'

/** Only who reached this process knows it: it stands in its globals and its environment, and in no payload. */
const canary = 'the-host-speaks-4711'
const variable = 'SAGASMITH_TEST_CANARY'

const scripts = Object.entries(scriptPayloads).flatMap(([way, codes]) =>
  codes.map((code) => [way, code] as const),
)
const expressions = Object.entries(expressionPayloads).flatMap(([way, texts]) =>
  texts.map((text) => [way, text] as const),
)

beforeAll(async () => {
  await keepQuickJs()
  Object.assign(globalThis, { hostCanary: canary })
  process.env[variable] = canary
})
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'hostCanary')
  Reflect.deleteProperty(process.env, variable)
})

/** The host's own objects, as they are now: an escape that only changes them shows here. */
function hostShape(): readonly unknown[] {
  const kinds = [Object, Array, Function, Promise, String, RegExp, Error, Symbol, Date]
  const objects = [JSON, Math, Reflect, ...kinds, ...kinds.map((kind) => kind.prototype)]
  return [
    ...Reflect.ownKeys(globalThis),
    ...objects.flatMap((one) =>
      // By value: what was replaced under its own name is another function. Getters aren't called.
      Reflect.ownKeys(one).flatMap((key) => [key, Reflect.getOwnPropertyDescriptor(one, key)?.value]),
    ),
  ]
}
const isSame = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length === after.length && before.every((one, index) => Object.is(one, after[index]))

test('there are more than a hundred and fifty, each of them once', () => {
  const all = [...scripts, ...expressions].map(([, text]) => text)
  expect(new Set(all).size).toBe(all.length)
  expect(scripts.length).toBeGreaterThanOrEqual(150)
  expect(expressions.length).toBeGreaterThanOrEqual(90)
})

describe('JavaScript', () => {
  /** In front of each payload, on its line. */
  const helpers = [
    'const take = (x) => { for (const read of [',
    `() => x.hostCanary, () => x.process.env.${variable}, () => x.process.hostCanary, () => x.env.${variable},`,
    '() => x("return globalThis.hostCanary")(), () => x.constructor("return globalThis.hostCanary")(),',
    `() => x.constructor.constructor("return process.env.${variable}")(),`,
    '() => typeof x.readFileSync === "function" ? "THROUGH" : null',
    ']) { try { const got = read(); if (typeof got === "string") return got } catch {} } return null };',
    'const through = (is) => (is ? "THROUGH" : null);',
  ].join(' ')

  type Module = Awaited<ReturnType<typeof newLimitedQuickJs>>

  interface Attacked {
    /** What it returned, threw and logged. */
    readonly said: string
    readonly isHostSame: boolean
  }

  /**
   * Here is no process to kill: what takes long without a look at the clock ends when its memory is full, and that
   * takes the longer the more it has.
   */
  const memoryBytes = 3 * 1024 * 1024

  interface Attack {
    readonly plant?: (module: Module) => Module
    readonly packages?: PackageGraph
  }

  async function attack(code: string, { plant = (module) => module, packages }: Attack = {}) {
    const said: SandboxMessage[] = []
    let looks = 0
    const request = {
      ...{ code, input: '{"from":"before"}', run: '{}', vars: '{}', seed: 1 },
      ...(packages === undefined ? {} : { packages }),
      ...{ now: 1_700_000_000_000, timeoutMs: 100, memoryBytes },
    }
    const module = plant(await newLimitedQuickJs())
    const before = hostShape()
    try {
      const message = await runGuest(module, request, {
        send: (line) => said.push(line),
        // The deadline counts QuickJS's looks at the clock: the same on every machine.
        elapsedMs: () => {
          looks += 1
          return looks
        },
      })
      said.push(message)
    } catch (thrown) {
      // Deep nesting may use up the host's stack: its process ends then, and the step fails with it.
      if (!(thrown instanceof RangeError)) throw thrown
    }
    return { said: JSON.stringify(said), isHostSame: isSame(before, hostShape()) } satisfies Attacked
  }
  const isThrough = ({ said, isHostSame }: Attacked) =>
    said.includes(canary) || said.includes('THROUGH') || !isHostSame

  const asStep = (code: string): string => `${helpers} ${code}`

  test.for(scripts)('%s: %s', async ([, code]) => {
    expect(await attack(asStep(code))).not.toSatisfy(isThrough)
  })

  /** The same code as packages of npm have it. */
  function asPackages(code: string): PackageGraph {
    const own = `${helpers}\nconst own = async function (input, run, vars, ctx) { ${code}\n}`
    const alike = { imports: {}, names: [] }
    return {
      packages: ['evil@1.0.0', 'worse@1.0.0'],
      entries: { evil: 'evil/index.js', worse: 'worse/index.js' },
      modules: {
        'evil/index.js': { ...alike, kind: 'esm', text: `${own}\nexport default own` },
        'worse/index.js': { ...alike, kind: 'cjs', text: `${own}\nmodule.exports = own` },
      },
    }
  }
  /** Lets each have its try, whatever becomes of the other. */
  const importing = [
    'import evil from "evil"; import worse from "worse"; const said = [];',
    'for (const attack of [evil, worse]) try { said.push(await attack(input, run, vars, ctx)) }',
    'catch (error) { said.push(typeof error, error && error.message) } return said',
  ].join(' ')

  // What only takes long takes as long there.
  test.for(scripts.filter(([way]) => way !== 'bombs'))('in packages, %s: %s', async ([, code]) => {
    expect(await attack(importing, { packages: asPackages(code) })).not.toSatisfy(isThrough)
  })

  test('a package that comes through would be seen', async () => {
    const graph = asPackages('return take({ hostCanary: ctx.secrets.mine ?? vars.mine ?? "THROUGH" })')
    expect(await attack(importing, { packages: graph })).toSatisfy(isThrough)
  })

  /** The module with something of the host in the globals of each sandbox. */
  const planting =
    (plant: (vm: ReturnType<Module['newContext']>) => void) =>
    (module: Module): Module => {
      const newRuntime = module.newRuntime.bind(module)
      module.newRuntime = (...options) => {
        const runtime = newRuntime(...options)
        const newContext = runtime.newContext.bind(runtime)
        runtime.newContext = (...more) => {
          const vm = newContext(...more)
          plant(vm)
          return vm
        }
        return runtime
      }
      return module
    }

  test.for<[string, readonly string[], Parameters<typeof planting>[0]]>([
    [
      'the host’s process among the globals',
      ['constructors', 'eval forms', 'async and generators', 'callers and texts', 'modules and hosts'],
      (vm) => {
        const leaked = vm.newObject()
        vm.setProp(leaked, 'hostCanary', vm.newString(canary))
        vm.setProp(vm.global, 'process', leaked)
      },
    ],
    [
      'a constructor that evaluates outside',
      ['constructors'],
      (vm) => {
        const hole = vm.newFunction('Function', () =>
          vm.newFunction('outside', () => {
            const leaked = vm.newObject()
            vm.setProp(leaked, 'hostCanary', vm.newString(canary))
            return leaked
          }),
        )
        vm.setProp(vm.getProp(vm.getProp(vm.global, 'Function'), 'prototype'), 'constructor', hole)
      },
    ],
    [
      'a function of the host that changes it',
      ['pollution', 'proxies'],
      (vm) => {
        const hole = vm.newFunction('parse', () => {
          Object.assign(globalThis, { leaked: 1 })
          return vm.newObject()
        })
        vm.setProp(vm.getProp(vm.global, 'JSON'), 'stringify', hole)
      },
    ],
    [
      'a require',
      ['modules and hosts'],
      (vm) => {
        const hole = vm.newFunction('require', () => {
          const files = vm.newObject()
          vm.setProp(
            files,
            'readFileSync',
            vm.newFunction('readFileSync', () => vm.newString(canary)),
          )
          return files
        })
        vm.setProp(vm.global, 'require', hole)
      },
    ],
  ])('a planted hole is seen: %s', async ([, ways, plant]) => {
    for (const way of ways) {
      let isCaught = false
      for (const code of scriptPayloads[way] ?? []) {
        // The first that comes through says it all.
        if (isCaught) break
        isCaught = isThrough(await attack(asStep(code), { plant: planting(plant) }))
        Reflect.deleteProperty(globalThis, 'leaked')
      }
      expect(isCaught, way).toBe(true)
    }
  })
})

describe('expressions', () => {
  const scope = { input: { a: { b: 7 }, list: [1, 2] }, run: {}, vars: {}, nodes: {} }
  const service = createExpressionService({ clock: systemClock })
  afterAll(() => service.close())

  const evaluated = (text: string): Promise<unknown> =>
    Promise.resolve(
      service.evaluate({
        ...{ text, mode: 'expression' },
        scope: {
          ...{ input: () => structuredClone(scope.input), nodes: async () => ({}) },
          ...{ run: (): JsonObject => ({}), vars: {}, now: 0, seed: 'seed' },
        },
      }),
    )

  /** What reached the host said its word, or left something in all objects. */
  const isThrough = (said: unknown): boolean =>
    JSON.stringify([said, said instanceof Error ? said.message : null]).includes(canary) || 'polluted' in {}

  test.for(expressions)('%s: %s', async ([, text]) => {
    const said = await evaluated(text).catch((thrown: unknown) => thrown)
    expect(said).not.toSatisfy(isThrough)
    if (said instanceof Error)
      expect(said).toHaveProperty('code', expect.stringMatching(/^expression_(failed|invalid|too_\w+)$/))
    // Its thread has nothing of it for the next one.
    expect(await evaluated('$exists({}.polluted) ? "polluted" : 1 + 1')).toBe(2)
  })

  test.for<[string, (expression: jsonata.Expression) => void]>([
    [
      'a look-up that sees what objects inherit',
      (expression) =>
        expression.registerFunction('lookup', (object: object, key: string) =>
          Reflect.get(Object(object), key),
        ),
    ],
    [
      'a text that is evaluated outside',
      (expression) =>
        expression.registerFunction('eval', (text: string) =>
          text.startsWith('process') ? process.env[text.slice('process.env.'.length)] : undefined,
        ),
    ],
    [
      'a merge that writes through',
      (expression) =>
        expression.registerFunction('merge', (list: readonly object[]) => {
          // As libraries did that merged what `__proto__` names instead of replacing it.
          for (const one of list) if ('__proto__' in one) Object.assign(Object.prototype, { polluted: 1 })
          return {}
        }),
    ],
  ])('a planted hole is seen: %s', async ([, plant]) => {
    let isCaught = false
    for (const [way, text] of expressions) {
      if (isCaught) break
      if (way === 'bombs') continue
      try {
        const expression = jsonata(text)
        plant(expression)
        isCaught = isThrough(await expression.evaluate(structuredClone(scope)))
      } catch (thrown) {
        isCaught = isThrough(thrown)
      } finally {
        Reflect.deleteProperty(Object.prototype, 'polluted')
      }
    }
    expect(isCaught).toBe(true)
  })
})
