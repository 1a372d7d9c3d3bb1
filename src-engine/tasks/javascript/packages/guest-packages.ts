/** Packages inside of the guest: its modules are the texts that it was given, and there are no others. */

import type { QuickJSRuntime } from 'quickjs-emscripten'
import type { PackageGraph } from './package-graph.ts'

/** Modules that Node.js brings along, of those that packages ask for: the sandbox has none of them. */
const nodeModuleNames =
  /^(node:.*|(assert|async_hooks|buffer|child_process|cluster|console|constants|crypto|dgram|dns|domain|events|fs|http|http2|https|module|net|os|path|perf_hooks|process|punycode|querystring|readline|stream|string_decoder|timers|tls|tty|url|util|v8|vm|worker_threads|zlib)(\/.*)?)$/

/** Code without any. */
export const noPackages: PackageGraph = { packages: [], entries: {}, modules: {} }

/** What loads CommonJS; no package can have this name. */
const commonJs = ':commonjs'

/** What isn't there: who looks for the name of a file can't say so, who loads it can. */
const notThere = ':missing '

/** Lets code import what the graph has. */
export function offerPackages(runtime: QuickJSRuntime, graph: PackageGraph): void {
  const { modules, entries } = graph
  runtime.setModuleLoader(
    (id) => {
      if (id === commonJs) return commonJsModule(graph)
      const module = own(modules, id)
      if (module === undefined) return { error: new Error(id.slice(notThere.length)) }
      return module.kind === 'esm' ? module.text : wrapped(id, module.names)
    },
    (base, specifier) => {
      const importer = own(modules, base)
      if (specifier === commonJs && importer !== undefined) return commonJs
      const id = own(importer?.imports ?? entries, specifier)
      return id ?? notThere + missing(specifier, importer === undefined ? null : base, graph)
    },
  )
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function missing(specifier: string, base: string | null, { packages }: PackageGraph): string {
  const who = base === null ? 'The code' : `The package file ${base}`
  if (nodeModuleNames.test(specifier))
    return `${who} imports “${specifier}”, a module of Node.js, which the sandbox doesn’t have.`
  if (base !== null) return `${who} imports “${specifier}”, which is not installed beside it.`
  const those = packages.length === 0 ? 'it has none' : `they are ${packages.join(', ')}`
  return `${who} imports “${specifier}”, which is not among the packages of the step: ${those}.`
}

/** CommonJS or JSON as a module: its names are those that somebody asks for. */
function wrapped(id: string, names: readonly string[]): string {
  return [
    `import { load } from ${JSON.stringify(commonJs)};`,
    `const found = load(${JSON.stringify(id)});`,
    'export default found;',
    ...names.map((name, index) => `const own${index} = found.${name}; export { own${index} as ${name} };`),
  ].join('\n')
}

/** Runs CommonJS as its authors expect, each file once, in the order in which they are asked for. */
function commonJsModule({ modules }: PackageGraph): string {
  const files = Object.entries(modules).filter(([, { kind }]) => kind !== 'esm')
  return `
const files = ${JSON.stringify(Object.fromEntries(files))};
const { parse } = JSON;
const { hasOwn } = Object;
const Code = Function;
const loaded = new Map();
export const load = (id) => {
  const known = loaded.get(id);
  if (known !== undefined) return known.exports;
  const module = { exports: {}, id };
  const { kind, text, imports } = files[id];
  loaded.set(id, module);
  if (kind === 'json') return module.exports = parse(text);
  const require = (name) => {
    if (hasOwn(imports, name) && hasOwn(files, imports[name])) return load(imports[name]);
    const error = new Error('The package file ' + id + ' requires “' + name + '”, which the sandbox doesn’t have.');
    error.code = 'MODULE_NOT_FOUND';
    throw error;
  };
  try {
    new Code('exports', 'require', 'module', 'global', text).call(module.exports, module.exports, require, module, globalThis);
  } catch (error) {
    loaded.delete(id);
    throw error;
  }
  return module.exports;
};
`
}
