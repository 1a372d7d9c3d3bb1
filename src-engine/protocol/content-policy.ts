/**
 * The Content-Security-Policy of the designer, the same in the desktop app and in `sagasmith serve`.
 * Scripts come from our own files only. Style elements carry a nonce, because the code editor and the
 * menus make some; whoever serves index.html replaces every placeholder in it with a fresh nonce.
 */

/** What the built index.html contains where a nonce belongs. */
export const noncePlaceholder = 'SAGASMITH_STYLE_NONCE'

/** The header's value for one answer; `nonce` is fresh random text of at least 16 bytes, base64 or hex. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
  ].join('; ')
}
