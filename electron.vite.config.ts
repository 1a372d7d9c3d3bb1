/** Builds the three parts of the app: main process with engine and CLI, preload, renderer. */
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { engineEntries, engineFiles, engineOutput } from './bin/engine-bundle.mjs'

/** The chunk of what draws the page. */
const drawing = 'drawing'
const at = (...parts: readonly string[]) => resolve(import.meta.dirname, ...parts)

/** Lucide draws all its icons by one component, which is ours. */
const plainIcons = (): Plugin => ({
  name: 'plain-icons',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    source === './Icon.mjs' && /[\\/]lucide-react[\\/]/.test(importer) ? '\0plain-icon' : null,
  load: (id) =>
    id === '\0plain-icon'
      ? `export { PlainIcon as default } from ${JSON.stringify(at('src-renderer/ui/plain-icon.ts'))}`
      : null,
})

export default defineConfig({
  // Only `dependencies` stay outside the bundle: better-sqlite3, which finds its native file beside itself.
  main: {
    publicDir: false,
    plugins: engineFiles(),
    build: {
      outDir: at('out/main'),
      sourcemap: true,
      rolldownOptions: {
        input: {
          index: at('src-main/index.ts'),
          engine: at('src-main/engine-entry.ts'),
          cli: at('src-engine/shell/cli.ts'),
          ...engineEntries,
        },
        output: engineOutput,
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
    plugins: [react(), plainIcons()],
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
            groups: [
              { name: 'zod', test: /node_modules[\\/]zod[\\/]|zod-without-code/, priority: 1 },
              {
                name: drawing,
                test: /node_modules[\\/](react|react-dom|scheduler|@xyflow|zustand)[\\/].*js$/,
                priority: 2,
              },
            ],
          },
          // Most of it is called at once: V8 compiles it beside the page then, not function by function on the way.
          postBanner: ({ name }) => (name === drawing ? '//# allFunctionsCalledOnLoad' : ''),
        },
      },
    },
  },
})
