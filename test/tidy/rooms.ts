/**
 * The rooms and who may enter which: the architecture as data. A room imports itself and the rooms it
 * names; everything else is a finding whose message lists what is allowed.
 */
import type { Finding, ImportEdge, SourceFile } from './source-file.ts'

/** One room of the house. */
export interface Room {
  readonly name: string
  /** Which files belong to it; the first room that matches a path owns it. */
  readonly owns: RegExp
  readonly mayImport: readonly string[]
  /** npm packages it may import: a list, or anything that is not reserved for another room. */
  readonly packages: readonly string[] | 'any'
  readonly mayUseNode: boolean
}

const siblings = ['protocol', 'core', 'store', 'tasks', 'triggers']
const engine = ['model', 'specs', ...siblings, 'runtime']

/** All rooms. */
export const rooms: readonly Room[] = [
  {
    name: 'specs',
    owns: /^src-engine\/(tasks|triggers)\/(.*\/)?specs?\.ts$/,
    mayImport: ['model'],
    packages: ['zod'],
    mayUseNode: false,
  },
  {
    name: 'model',
    owns: /^src-engine\/model\//,
    mayImport: [],
    packages: ['zod', '@noble/hashes'],
    mayUseNode: false,
  },
  {
    name: 'protocol',
    owns: /^src-engine\/protocol\//,
    mayImport: ['model'],
    packages: ['zod'],
    mayUseNode: false,
  },
  { name: 'core', owns: /^src-engine\/core\//, mayImport: ['model'], packages: [], mayUseNode: false },
  { name: 'store', owns: /^src-engine\/store\//, mayImport: ['model'], packages: 'any', mayUseNode: true },
  {
    name: 'tasks',
    owns: /^src-engine\/tasks\//,
    mayImport: ['model', 'specs'],
    packages: 'any',
    mayUseNode: true,
  },
  {
    name: 'triggers',
    owns: /^src-engine\/triggers\//,
    mayImport: ['model', 'specs'],
    packages: 'any',
    mayUseNode: true,
  },
  {
    name: 'runtime',
    owns: /^src-engine\/runtime\//,
    mayImport: ['model', 'specs', ...siblings],
    packages: 'any',
    mayUseNode: true,
  },
  { name: 'sdk', owns: /^src-engine\/sdk\//, mayImport: engine, packages: 'any', mayUseNode: true },
  { name: 'shell', owns: /^src-engine\/shell\//, mayImport: engine, packages: 'any', mayUseNode: true },
  {
    name: 'doors',
    owns: /^src-engine\/(index|internal)\.ts$/,
    mayImport: [...engine, 'sdk', 'shell'],
    packages: [],
    mayUseNode: false,
  },
  {
    name: 'main',
    owns: /^src-main\//,
    mayImport: [...engine, 'sdk', 'shell', 'doors'],
    packages: 'any',
    mayUseNode: true,
  },
  {
    name: 'renderer',
    owns: /^src-renderer\//,
    mayImport: ['model', 'protocol', 'specs'],
    packages: 'any',
    mayUseNode: false,
  },
  { name: 'launcher', owns: /^bin\//, mayImport: [], packages: [], mayUseNode: true },
]

/** Packages that belong to one room; nobody else may import them, not even for types. */
interface Reserved {
  readonly pattern: RegExp
  readonly room: string
  /** A second room, which opens other files with it. */
  readonly and?: string
}

const reserved: readonly Reserved[] = [
  { pattern: /^electron$/, room: 'main' },
  { pattern: /^(react|react-dom|zustand|immer|lucide-react|radix-ui|elkjs)(\/|$)/, room: 'renderer' },
  { pattern: /^@(xyflow|rjsf|codemirror|dagrejs|fontsource-variable)\//, room: 'renderer' },
  { pattern: /^better-sqlite3$/, room: 'store', and: 'tasks' },
]

/** The room a file belongs to; null for tests, benches and configuration, which may import anything. */
export function roomOf(path: string): Room | null {
  return rooms.find((room) => room.owns.test(path)) ?? null
}

function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function objectToPackage(room: Room, specifier: string): string | null {
  const owner = reserved.find(({ pattern }) => pattern.test(specifier))
  if (owner !== undefined && owner.room !== room.name && owner.and !== room.name) {
    return `only the ${owner.room} room may import ${specifier}`
  }
  if (room.packages === 'any' || room.packages.includes(packageNameOf(specifier))) return null
  const allowed = room.packages.length === 0 ? 'no packages' : room.packages.join(' and ')
  return `${room.name} may import ${allowed}, not ${specifier}`
}

function objectTo(room: Room, edge: ImportEdge): string | null {
  if (edge.target === null) {
    if (!edge.specifier.startsWith('node:')) return objectToPackage(room, edge.specifier)
    if (room.mayUseNode) return null
    return `${room.name} runs without Node: let the caller hand in what ${edge.specifier} would give`
  }
  const target = roomOf(edge.target)
  // Style sheets, SQL and other data lie in the importing room or are no room's secret.
  if (target === null || target === room || room.mayImport.includes(target.name)) return null
  const allowed = [room.name, ...room.mayImport].join(', ')
  return `${room.name} may not import ${target.name} (${edge.target}), not even for types; it may import: ${allowed}`
}

/** The dependency rule. */
export function checkDependencies(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path)
    if (room === null) return []
    return file.imports.flatMap((edge) => {
      const message = objectTo(room, edge)
      return message === null ? [] : [{ rule: 'rooms', path: file.path, line: edge.line, message }]
    })
  })
}
