/** An SVG as the pixels of a PNG: in WebAssembly, with the bundled fonts, so that no browser or system font counts. */

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { SagasmithError } from '../../model/errors.ts'

/** Pixels that a picture has for one of the canvas. */
const scale = 2
/** Beyond it no program opens the picture, and drawing it would take all memory. */
const sideMax = 16_000
const pixelsMax = 80_000_000

/** Files of packages; in a bundle each stands beside it under its own name. */
const wasmFile = '@resvg/resvg-wasm/index_bg.wasm'
const fontFiles = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese'].map(
  (script) => `@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`,
)

let ready: Promise<readonly Uint8Array[]> | null = null

/** The bytes of the picture. Throws `picture_too_large` for a workflow spread wider than a picture can be. */
export async function renderPng(svg: string): Promise<Uint8Array> {
  ready ??= loadFiles()
  const fontBuffers = [...(await ready)]
  const zoom = zoomFor(sizeOf(svg))
  const picture = new Resvg(svg, {
    font: { fontBuffers, defaultFontFamily: 'Inter Variable' },
    fitTo: { mode: 'zoom', value: zoom },
  })
  try {
    const image = picture.render()
    const bytes = image.asPng()
    image.free()
    return bytes
  } finally {
    picture.free()
  }
}

interface PictureSize {
  readonly width: number
  readonly height: number
}

/** What our own pictures say of themselves, first of all. */
function sizeOf(svg: string): PictureSize {
  const [, width = '1', height = '1'] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? []
  return { width: Number(width), height: Number(height) }
}

/** As sharp as the limits allow. */
function zoomFor({ width, height }: PictureSize): number {
  const zoom = Math.min(scale, sideMax / width, sideMax / height, Math.sqrt(pixelsMax / (width * height)))
  if (zoom >= 0.05) return zoom
  throw new SagasmithError('picture_too_large', {
    message: `The workflow is ${width} by ${height} points wide; no picture is that large.`,
    hint: 'Tidy the layout, or export the workflow as SVG or JSON instead.',
  })
}

async function loadFiles(): Promise<readonly Uint8Array[]> {
  await initWasm(readFileSync(pathOf(wasmFile)))
  return fontFiles.map((file) => readFileSync(pathOf(file)))
}

function pathOf(file: string): string {
  const beside = join(import.meta.dirname, file.slice(file.lastIndexOf('/') + 1))
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve(file)
}
