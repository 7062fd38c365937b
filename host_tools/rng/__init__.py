"""Assessment of noise and draws. Needs numpy, scipy and sp80022suite: pip install 'pitkit[assess]'."""
