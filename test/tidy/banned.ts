/**
 * Words that are wrong in most places, each with what to use instead and the few places where it is
 * right. Places are prefixes of paths from the root.
 */
import type { Finding, SourceFile, SyntaxNode } from './source-file.ts'

interface Place {
  readonly prefix: string
  readonly because: string
}

/** One banned expression or module. */
export interface BannedToken {
  readonly token: string
  readonly instead: string
  readonly allowedIn: readonly Place[]
  readonly matches: (node: SyntaxNode, parent: SyntaxNode | null) => boolean
}

const tooling: readonly Place[] = [
  { prefix: 'bin/', because: 'the launcher is a program of its own' },
  { prefix: 'test/', because: 'tests watch real processes; the tests of pure rooms use fake clocks' },
  { prefix: 'bench/', because: 'benches measure real time' },
]
const ports: Place = {
  prefix: 'src-engine/runtime/system-ports.ts',
  because: 'the one real clock and random',
}
const interfaceTimers: Place = { prefix: 'src-renderer/', because: 'timers of the interface itself' }
const supervision: Place = { prefix: 'src-main/', because: 'supervises the engine in real time' }

const useClock = 'take a Clock from the ports (model/ports.ts), or `now` as an argument'
const useTimers = 'take the timers of the ports (model/ports.ts); durable waits are timers in the store'
const useLog = 'take a Logger from the ports (model/ports.ts)'

function nodeAt(value: unknown): SyntaxNode | null {
  return typeof value === 'object' && value !== null && 'type' in value ? (value as SyntaxNode) : null
}

function identifier(value: unknown): string | null {
  const node = nodeAt(value)
  return node?.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : null
}

/** `object.property`, also through globalThis; a property of null means any. */
function member(object: string, property: string | null): BannedToken['matches'] {
  return (node) => {
    if (node.type !== 'MemberExpression') return false
    const owner = nodeAt(node['object'])
    const isOwner =
      identifier(owner) === object ||
      (owner?.type === 'MemberExpression' &&
        identifier(owner['object']) === 'globalThis' &&
        identifier(owner['property']) === object)
    return isOwner && (property === null || identifier(node['property']) === property)
  }
}

/** A call of a global function by its name. */
function globalCall(name: string): BannedToken['matches'] {
  return (node) => {
    if (node.type !== 'CallExpression') return false
    if (identifier(node['callee']) === name) return true
    const callee = nodeAt(node['callee'])
    if (callee?.type !== 'MemberExpression' || identifier(callee['property']) !== name) return false
    return ['globalThis', 'window'].includes(identifier(callee['object']) ?? '')
  }
}

function imports(module: string): BannedToken['matches'] {
  return (node) => {
    if (node.type !== 'ImportDeclaration' && node.type !== 'ImportExpression') return false
    return nodeAt(node['source'])?.['value'] === module
  }
}

/** At the start, and for more than its types. */
const importsHttp: BannedToken['matches'] = (node) =>
  node.type === 'ImportDeclaration' &&
  node['importKind'] !== 'type' &&
  nodeAt(node['source'])?.['value'] === 'node:http'

const isNewDateNow: BannedToken['matches'] = (node) =>
  node.type === 'NewExpression' &&
  identifier(node['callee']) === 'Date' &&
  Array.isArray(node['arguments']) &&
  node['arguments'].length === 0

/** The list. */
const bannedTokens: readonly BannedToken[] = [
  {
    token: 'Date.now',
    instead: useClock,
    allowedIn: [...tooling, ports, interfaceTimers, supervision],
    matches: member('Date', 'now'),
  },
  {
    token: 'new Date()',
    instead: useClock,
    allowedIn: [...tooling, ports, interfaceTimers, supervision],
    matches: isNewDateNow,
  },
  {
    token: 'Math.random',
    instead: 'take a Random from the ports (model/ports.ts)',
    allowedIn: [...tooling, ports],
    matches: member('Math', 'random'),
  },
  {
    token: 'performance.now',
    instead: useClock,
    allowedIn: [
      ...tooling,
      ports,
      interfaceTimers,
      supervision,
      { prefix: 'src-engine/tasks/javascript/sandbox.ts', because: 'a process of its own, times its guest' },
    ],
    matches: member('performance', 'now'),
  },
  ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({
    token: name,
    instead: useTimers,
    allowedIn: [
      ...tooling,
      ports,
      interfaceTimers,
      supervision,
      ...['sqlite/group-commit.ts', 'redis/turn.ts'].map((file) => ({
        prefix: `src-engine/store/${file}`,
        because: 'writes wait for the end of the turn of the event loop, not for time',
      })),
    ],
    matches: globalCall(name),
  })),
  {
    token: 'process.env',
    instead: 'read settings through shell/config.ts and hand them in',
    allowedIn: [
      ...tooling,
      { prefix: 'src-engine/shell/config.ts', because: 'the one reader of the environment' },
      { prefix: 'src-main/', because: 'hands the environment on to the engine process' },
      { prefix: 'electron.vite.config.ts', because: 'a build script' },
    ],
    matches: member('process', 'env'),
  },
  {
    token: 'console',
    instead: useLog,
    allowedIn: [...tooling, { prefix: 'src-engine/shell/log.ts', because: 'where log lines end' }],
    matches: member('console', null),
  },
  {
    token: 'fetch',
    instead: 'HTTP belongs to the http-request task; the renderer talks through its bridge',
    allowedIn: [
      ...tooling,
      { prefix: 'src-engine/tasks/http-request/', because: 'the task that does HTTP' },
      { prefix: 'src-engine/runtime/tracing/otlp-exporter.ts', because: 'sends spans to the collector' },
      { prefix: 'src-renderer/bridge/', because: 'the way to the engine' },
    ],
    matches: globalCall('fetch'),
  },
  {
    token: 'node:child_process',
    instead: 'processes are started by the shell-command task, by isolates and by supervision only',
    allowedIn: [
      ...tooling,
      { prefix: 'src-engine/tasks/', because: 'tasks run commands and isolates' },
      { prefix: 'src-engine/runtime/', because: 'isolates for expressions, process identity' },
      { prefix: 'src-engine/shell/', because: 'starts the engine and the browser for the CLI' },
      { prefix: 'src-main/', because: 'supervises the engine process' },
    ],
    matches: imports('node:child_process'),
  },
  {
    token: 'an import of node:http',
    instead: 'runtime/node-http.ts has it without all that is read with it, which every start would wait for',
    allowedIn: tooling,
    matches: importsHttp,
  },
]

/** Uses of banned tokens outside their places. */
export function checkBanned(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => {
    const active = bannedTokens.filter(
      ({ allowedIn }) => !allowedIn.some(({ prefix }) => file.path.startsWith(prefix)),
    )
    return file.nodes.flatMap(({ node, parent }) =>
      active
        .filter(({ matches }) => matches(node, parent))
        .map(({ token, instead, allowedIn }) => ({
          rule: 'banned',
          path: file.path,
          line: file.lineAt(node.start),
          message: `${token} is allowed in ${allowedIn.map(({ prefix }) => prefix).join(', ')} only; ${instead}`,
        })),
    )
  })
}
