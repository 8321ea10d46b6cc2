// Records the demo members' greetings: short hummed melodies, and a small film
// of a sunrise, all generated here. A real browser records them, as members'
// browsers do. After changing one run npm ci in scripts and in pwa, which has the
// browser's driver, and `node scripts/greetings.mjs`, and commit the result in
// api/seed/greetings.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:http'
import sharp from 'sharp'

const { chromium } = createRequire(new URL('../pwa/package.json', import.meta.url))('@playwright/test')

// Notes as semitones from A3, each with its length in beats.
const melodies = {
  porch: { beat: 0.42, low: 0, notes: [[3, 1], [7, 1], [10, 2], [12, 1], [10, 1], [7, 2], [5, 1], [7, 1], [3, 3]] },
  kitchen: { beat: 0.3, low: -5, notes: [[0, 1], [4, 1], [7, 1], [9, 2], [7, 1], [4, 1], [5, 2], [7, 1], [4, 1], [2, 1], [0, 3]] },
  ferry: { beat: 0.5, low: 2, notes: [[0, 2], [7, 1], [5, 1], [3, 2], [5, 1], [2, 1], [0, 3]] },
}

/** In the page: hums a melody, and returns the recording and its loudness. */
async function record({ beat, low, notes, film }) {
  const context = new AudioContext()
  const out = context.createMediaStreamDestination()
  const lowpass = context.createBiquadFilter()
  lowpass.type = 'lowpass'
  lowpass.frequency.value = 1800
  const meter = context.createAnalyser()
  lowpass.connect(meter).connect(out)
  const seconds = notes.reduce((sum, [, beats]) => sum + beats * beat, 0) + 0.5
  let at = context.currentTime + 0.15
  for (const [note, beats] of notes) {
    // Two sawtooth tones through a band-pass sound like a hummed "mm".
    for (const [share, detune] of [[0.22, -4], [0.22, 4]]) {
      const tone = context.createOscillator()
      tone.type = 'sawtooth'
      tone.frequency.value = 220 * 2 ** ((note + low) / 12)
      tone.detune.value = detune
      const formant = context.createBiquadFilter()
      formant.type = 'bandpass'
      formant.frequency.value = 520
      formant.Q.value = 1.1
      const envelope = context.createGain()
      envelope.gain.setValueAtTime(0, at)
      envelope.gain.linearRampToValueAtTime(share, at + 0.09)
      envelope.gain.setTargetAtTime(0, at + beats * beat * 0.75, 0.08)
      tone.connect(formant).connect(envelope).connect(lowpass)
      tone.start(at)
      tone.stop(at + beats * beat + 0.3)
    }
    at += beats * beat
  }
  let stream = out.stream
  let canvas
  if (film) {
    canvas = document.createElement('canvas')
    canvas.width = 360
    canvas.height = 640
    stream = new MediaStream([...canvas.captureStream(15).getTracks(), ...out.stream.getTracks()])
  }
  const mimeType = film ? 'video/webm;codecs=vp9,opus' : 'audio/webm;codecs=opus'
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: 20_000, videoBitsPerSecond: 110_000 })
  const chunks = []
  recorder.ondataavailable = ({ data }) => chunks.push(data)
  const ended = new Promise((resolve) => {
    recorder.onstop = resolve
  })
  const loudness = []
  const samples = new Float32Array(meter.fftSize)
  const began = performance.now()
  recorder.start(1000)
  const draw = (share) => {
    const context2d = canvas.getContext('2d')
    const sky = context2d.createLinearGradient(0, 0, 0, 640)
    sky.addColorStop(0, `hsl(${20 + 20 * share} 60% ${55 + 25 * share}%)`)
    sky.addColorStop(1, `hsl(30 70% ${70 + 18 * share}%)`)
    context2d.fillStyle = sky
    context2d.fillRect(0, 0, 360, 640)
    context2d.fillStyle = '#e9a13b'
    context2d.beginPath()
    context2d.arc(200, 470 - 230 * share, 54, 0, 7)
    context2d.fill()
    for (const [row, colour] of ['#b97a86', '#8a5570', '#5b2a4e'].entries()) {
      context2d.fillStyle = colour
      context2d.beginPath()
      context2d.moveTo(0, 640)
      for (let x = 0; x <= 360; x += 12) context2d.lineTo(x, 420 + row * 70 + Math.sin(x / (60 + row * 14) + row * 2) * 26)
      context2d.lineTo(360, 640)
      context2d.fill()
    }
  }
  let posterPng
  while (performance.now() - began < seconds * 1000) {
    await new Promise((next) => setTimeout(next, 33))
    meter.getFloatTimeDomainData(samples)
    loudness.push(Math.hypot(...samples) / Math.sqrt(samples.length))
    if (canvas) {
      const share = Math.min(1, (performance.now() - began) / (seconds * 1000))
      draw(share)
      if (share > 0.6) posterPng ??= canvas.toDataURL('image/png')
    }
  }
  recorder.stop()
  await ended
  const durationMs = Math.round(performance.now() - began)
  const loudest = Math.max(...loudness)
  const waveform = Array.from({ length: 64 }, (_, i) => {
    const part = loudness.slice(Math.floor((i * loudness.length) / 64), Math.floor(((i + 1) * loudness.length) / 64) + 1)
    return Math.round((100 * Math.max(...part)) / loudest)
  })
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
  return { type: mimeType.split(';')[0], durationMs, waveform, posterPng, bytes: [...bytes] }
}

const folder = new URL('../api/seed/greetings/', import.meta.url)
mkdirSync(folder, { recursive: true })
// Recording requires a page with an http address.
const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>Greetings</title>'))
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
})
const list = []
let total = 0
for (const [name, melody] of [...Object.entries(melodies), ['sunrise', { ...melodies.ferry, beat: 0.4, film: true }]]) {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${server.address().port}/`)
  const { type, durationMs, waveform, posterPng, bytes } = await page.evaluate(record, melody)
  writeFileSync(new URL(`${name}.webm`, folder), Buffer.from(bytes))
  total += bytes.length
  const entry = { name, type, durationMs, waveform }
  if (posterPng) {
    const picture = sharp(Buffer.from(posterPng.split(',')[1], 'base64'))
    const poster = await picture.clone().webp({ quality: 50, effort: 6 }).toBuffer()
    writeFileSync(new URL(`${name}.poster.webp`, folder), poster)
    const blurred = await picture.clone().resize({ width: 16 }).webp({ quality: 40, effort: 6 }).toBuffer()
    Object.assign(entry, { width: 360, height: 640, placeholder: `data:image/webp;base64,${blurred.toString('base64')}` })
    total += poster.length
  }
  list.push(entry)
  await page.close()
}
await browser.close()
server.close()
writeFileSync(new URL('greetings.json', folder), `[\n${list.map((g) => JSON.stringify(g)).join(',\n')}\n]\n`)
console.log(`${list.length} greetings, ${Math.round(total / 1024)} kB`)
