/** Bytes as they go to the engine and come from it. */

export const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** By the browser itself: a string of every byte would be as long as the file. */
export async function base64Of(bytes: Uint8Array): Promise<string> {
  const reader = new FileReader()
  const read = new Promise<void>((resolve) => {
    reader.addEventListener('loadend', () => resolve())
  })
  reader.readAsDataURL(new Blob([bytes.slice().buffer]))
  await read
  const url = typeof reader.result === 'string' ? reader.result : ''
  return url.slice(url.indexOf(',') + 1)
}
