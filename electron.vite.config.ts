/** Builds the three parts of the app: main process with engine and CLI, preload, renderer. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'

const at = (...parts: readonly string[]) => resolve(import.meta.dirname, ...parts)

/**
 * QuickJS looks for its WebAssembly file beside its own module. Bundled, that module is a chunk of ours,
 * and its four variants call their files alike: each gets a name of its own beside the chunk that has it.
 */
function quickjsWasm(): Plugin {
  const fileName = 'emscripten-module.wasm'
  const pathByName = new Map<string, string>()
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

/** What draws pictures without a window: its WebAssembly and the fonts, beside the chunks that read them. */
function pictureFiles(): Plugin {
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

export default defineConfig({
  // Only `dependencies` stay outside the bundle: better-sqlite3, which finds its native file beside itself.
  main: {
    publicDir: false,
    plugins: [quickjsWasm(), pictureFiles()],
    build: {
      outDir: at('out/main'),
      sourcemap: true,
      rolldownOptions: {
        input: {
          index: at('src-main/index.ts'),
          engine: at('src-main/engine-entry.ts'),
          cli: at('src-engine/shell/cli.ts'),
          // The engine starts these as processes or threads of their own; they stand beside it under these names.
          'expression-worker': at('src-engine/runtime/expression-worker.ts'),
          'heartbeat-worker': at('src-engine/runtime/heartbeat-worker.ts'),
          'output-scan-worker': at('src-engine/runtime/output-scan-worker.ts'),
          'javascript-sandbox': at('src-engine/tasks/javascript/sandbox.ts'),
          'sqlite-steps': at('src-engine/tasks/sql/sqlite-process.ts'),
          'webhook-listener': at('src-engine/runtime/webhook-listener.ts'),
        },
        // Chunks lie beside the entries: code finds its files by its own distance from the root.
        // Constants stay constants: code that V8 can't fold them in runs a third slower.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', topLevelVar: false },
      },
    },
  },
  preload: {
    build: {
      outDir: at('out/preload'),
      // A sandboxed preload is one CommonJS file and may require nothing but electron.
      externalizeDeps: false,
      isolatedEntries: true,
      rolldownOptions: {
        input: { index: at('src-main/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    plugins: [react()],
    build: {
      outDir: at('out/renderer'),
      target: 'es2023',
      minify: true,
      // The content policy allows files of ours, not data in addresses.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: { index: at('src-renderer/index.html') },
        // What tells zod that the page runs no code made from text stands in one chunk with it: whichever chunk
        // makes schemas first, it has been told by then.
        output: {
          codeSplitting: {
            groups: [{ name: 'zod', test: /node_modules[\\/]zod[\\/]|zod-without-code/, priority: 1 }],
          },
        },
      },
    },
  },
})
