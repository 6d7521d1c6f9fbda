// Fastify's test requests ask for a cookie library that says Node 22 and runs on 20.19 too, where our tests run with it.
// Without this, every installation on Node 20 would warn about it.
module.exports = {
  hooks: {
    readPackage: (manifest) => {
      if (manifest.name === 'cookie') delete manifest.engines;
      return manifest;
    },
  },
};
