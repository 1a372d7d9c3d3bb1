/** The address of a step that waits for web calls. */
export const callback = {
  title: 'Waits to be called',
  lead: 'Whoever has this address may call it. It is this step’s alone, and means nothing once the step goes on.',
  came: '{count} of {wanted} calls came.',
  unknown: 'Nobody here knows the address: other machines listen for its calls.',
  code: 'As a code to scan',
  picture: 'QR code of the address',
} as const
