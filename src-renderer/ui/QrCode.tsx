/** A text as a QR code: dark on light in every theme, for cameras don’t read it the other way round. */

import { encodeQR } from 'qr'
import { useMemo } from 'react'
import styles from './QrCode.module.css'

/** What readers ask to be free around it, in modules. */
const border = 4

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text])
  return (
    <svg
      className={styles['code']}
      role="img"
      aria-label={label}
      data-testid="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}

/** One stroke for each run of dark modules. */
function drawn(text: string): { readonly size: number; readonly path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border })
  const strokes = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1] === true) return []
      const end = row.indexOf(false, x)
      return [`M${x} ${y}h${end - x}v1h-${end - x}z`]
    }),
  )
  return { size: rows.length, path: strokes.join('') }
}
