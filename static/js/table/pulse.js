// A worker that only ticks: its timer keeps time while the tab is hidden.

self.onmessage = ({ data }) => { setInterval(() => self.postMessage(null), Number(data)); };
