/** How the engine becomes a bundle: the app's, and those of tests and benchmarks that run it as it ships. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { at } from './launcher/paths.mjs'

/** The engine starts these as processes or threads of their own; they stand beside it under these names. */
export const engineEntries = {
  'expression-worker': at('src-engine/runtime/expression-worker.ts'),
  'heartbeat-worker': at('src-engine/runtime/heartbeat-worker.ts'),
  'output-scan-worker': at('src-engine/runtime/output-scan-worker.ts'),
  'text-worker': at('src-engine/tasks/data/text-worker.ts'),
  'javascript-sandbox': at('src-engine/tasks/javascript/sandbox.ts'),
  'sqlite-steps': at('src-engine/tasks/sql/sqlite-process.ts'),
  'crash-worker': at('src-engine/shell/crash/crash-worker.ts'),
  'webhook-listener': at('src-engine/runtime/webhook-listener.ts'),
}

/**
 * Chunks lie beside the entries: code finds its files by its own distance from the root.
 * Constants stay constants: code that V8 can't fold them in runs a third slower.
 */
export const engineOutput = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  topLevelVar: false,
}

/** Files that the bundle's code reads from beside itself. */
export function engineFiles() {
  return [quickjsWasm(), pictureFiles(), plainSsh(), plainBuiltins()]
}

/**
 * Asks Node for its own modules by a call instead of by `import`: for an import Node reads every export of them, which loads
 * what nobody asked for (streams and terminals for the sake of `fs`), a tenth of a start.
 *
 * @returns {import('vite').Plugin}
 */
export function plainBuiltins() {
  return {
    name: 'sagasmith:plain-builtins',
    renderChunk: (code) => ({ code: builtinsByCall(code), map: null }),
  }
}

/**
 * The code of a chunk, which begins with its imports, one on each line. Lines stay where they are: maps stay true.
 * @param {string} code
 */
export function builtinsByCall(code) {
  const rest = code.search(/^(?!import )/m)
  const head = code
    .slice(0, rest)
    .replaceAll(
      /^import \{([^}\n]*)\} from ("node:[\w/]+");$/gm,
      (_line, /** @type {string} */ names, from) => {
        return `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule(${from});`
      },
    )
    .replaceAll(/^import ([\w$]+) from ("node:[\w/]+");$/gm, 'const $1 = process.getBuiltinModule($2);')
  return head + code.slice(rest)
}

/**
 * QuickJS looks for its WebAssembly file beside its own module. Bundled, that module is a chunk of ours,
 * and its four variants call their files alike: each gets a name of its own beside the chunk that has it.
 *
 * @returns {import('vite').Plugin}
 */
function quickjsWasm() {
  const fileName = 'emscripten-module.wasm'
  /** @type {Map<string, string>} */
  const pathByName = new Map()
  return {
    name: 'sagasmith:quickjs-wasm',
    transform(code, id) {
      const variant = /@jitl[\\/](quickjs-[a-z-]+)[\\/]dist[\\/]emscripten-module\.mjs$/.exec(id)?.[1]
      if (variant === undefined) return null
      pathByName.set(`${variant}.wasm`, join(dirname(id), fileName))
      return { code: code.replaceAll(fileName, `${variant}.wasm`), map: null }
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const [name, path] of pathByName) {
          if (!chunk.code.includes(name)) continue
          this.emitFile({
            type: 'asset',
            fileName: join(dirname(chunk.fileName), name),
            source: readFileSync(path),
          })
        }
      }
    },
  }
}

/**
 * SSH looks for parts that were compiled on this machine, and does without where there are none. None are: a bundle
 * says so where they would be asked for, instead of looking for their files.
 *
 * @returns {import('vite').Plugin}
 */
export function plainSsh() {
  const absent = '\0sagasmith:not-compiled'
  return {
    name: 'sagasmith:plain-ssh',
    enforce: 'pre',
    resolveId: (id) => (/(^cpu-features$|[\\/]sshcrypto\.node$)/.test(id) ? absent : null),
    load: (id) => (id === absent ? 'throw new Error("it was not compiled")' : null),
  }
}

/**
 * What draws pictures without a window: its WebAssembly and the fonts, beside the chunks that read them.
 *
 * @returns {import('vite').Plugin}
 */
function pictureFiles() {
  const scripts = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese']
  const files = [
    '@resvg/resvg-wasm/index_bg.wasm',
    ...scripts.map((script) => `@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`),
  ]
  return {
    name: 'sagasmith:picture-files',
    generateBundle() {
      for (const file of files) {
        const source = readFileSync(at('node_modules', file))
        this.emitFile({ type: 'asset', fileName: basename(file), source })
      }
    },
  }
}
